"""A save that is under way does not bring a forgotten session back."""

import os
from typing import Any

import pytest

from holdfast.app.checkpoints.drafting import SaveRequest
from holdfast.app.checkpoints.save import NothingToSave, Saved, Spooled, drain, save
from holdfast.app.forgetting.forget import ForgetRequest, forget, plan_forget
from holdfast.bootstrap import Container
from holdfast.bootstrap.forgetting import forget_means
from holdfast.domain.query import Scope
from holdfast.kernel.errors import StoreBusy
from holdfast.kernel.ids import reference
from holdfast.kernel.lazy_values import replace
from tests.e2e.conftest import Cli
from tests.e2e.work import SESSION, Work


@pytest.fixture
def container(cli: Cli) -> Container:
    work = Work(cli)
    work.asks("Greet the heron.")
    work.says("It was greeted.")
    work.saves("Herons")
    work.asks("And again.")
    work.says("Again.")
    return Container(environ=os.environ, project=str(cli.project))


def request_of(container: Container, trigger: Any = "exit") -> SaveRequest:
    known = container.store().session(SESSION)
    assert known is not None
    return SaveRequest(
        session_id=SESSION,
        transcript=known.transcript,
        directory=known.workspace,
        trigger=trigger,
        key=f"in-flight-{trigger}",
    )


def forget_it(container: Container) -> None:
    wanted = ForgetRequest(reference=reference(f"session:{SESSION}"))
    forget(
        plan_forget(wanted, Scope(), container.ports()),
        container.ports(),
        forget_means(container),
    )


class ForgettingCode:
    """The code of a project, in which looking takes so long that one can forget."""

    def __init__(self, container: Container) -> None:
        self._container, self._inner = container, container.ports().code
        self.is_asked = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def state(self, directory: str) -> Any:
        if not self.is_asked:
            self.is_asked = True
            forget_it(self._container)
        return self._inner.state(directory)


def test_a_session_forgotten_while_it_is_saved_stays_forgotten(
    container: Container,
) -> None:
    """The finisher of a hook runs for seconds after its look at the switch."""
    ports = replace(container.ports(), code=ForgettingCode(container))

    done = save(request_of(container), ports)

    assert isinstance(done, NothingToSave)
    assert "turned off" in done.reason
    assert list(container.store().retention_rows()) == []


def test_a_save_that_somebody_asks_for_is_made_all_the_same(
    container: Container,
) -> None:
    """Who saves by hand in a forgotten session wants it again."""
    request = request_of(container, "command")
    forget_it(container)

    done = save(request, container.ports())

    assert isinstance(done, Saved)


def test_what_was_saved_after_the_plan_goes_too(container: Container) -> None:
    """Between the question and the answer a hook may have saved once more."""
    wanted = ForgetRequest(reference=reference(f"session:{SESSION}"))
    plan = plan_forget(wanted, Scope(), container.ports())
    assert isinstance(save(request_of(container), container.ports()), Saved)

    forget(plan, container.ports(), forget_means(container))

    assert list(container.store().retention_rows()) == []
    assert forget_means(container).orders.waiting() == ()


def test_a_save_that_began_to_wait_after_it_was_forgotten_is_let_go(
    container: Container,
) -> None:
    """A store that is busy sends it to the spool, where the next save would drain it."""
    busy = StoreBusy("somebody writes")
    request = request_of(container)
    ports = container.ports()

    def no_store() -> Any:
        raise busy

    forget_it(container)
    waiting = save(request, replace(ports, open_store=no_store))
    drain(ports, container.store())

    assert isinstance(waiting, Spooled)
    assert ports.spool.waiting() == 0
    assert list(container.store().retention_rows()) == []
