"""Orders to forget: durable first, dropped when nothing is left of what they name."""

from pathlib import Path

import pytest

from holdfast.data_directory.port import Orders
from holdfast.data_directory.requests import DirectoryOrders
from holdfast.domain.forgetting import FileOf, Order

ORDER = Order(
    at=1, checkpoint_ids=("ccp-1",), sessions=("s",), files=(FileOf("/w", "api", "d"),)
)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "forgetting"


@pytest.fixture
def orders(place: Path) -> Orders:
    return DirectoryOrders(str(place))


def test_an_order_waits_until_it_is_done(orders: Orders, place: Path) -> None:
    """Whoever comes after a kill finishes it; twice is the same as once."""
    orders.add(ORDER)
    orders.add(ORDER)

    assert DirectoryOrders(str(place)).waiting() == (ORDER,)
    orders.done(ORDER)
    orders.done(ORDER)
    assert orders.waiting() == ()


def test_an_order_that_cannot_be_read_is_not_among_what_waits(
    orders: Orders, place: Path
) -> None:
    """One damaged file must not keep the others from being carried out."""
    orders.add(ORDER)
    (place / "damaged.json").write_text('{"at": 1')

    assert orders.waiting() == (ORDER,)


def test_an_order_that_cannot_be_written_says_so(orders: Orders, place: Path) -> None:
    """Nothing may go before it is written down what goes."""
    place.write_text("a file where a directory should be")

    with pytest.raises(OSError, match=r"."):
        orders.add(ORDER)
