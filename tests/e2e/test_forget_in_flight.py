"""A save that is under way does not bring a forgotten session back."""

import os
from typing import Any

import pytest

from holdfast.app.checkpoints.drafting import SaveRequest
from holdfast.app.checkpoints.save import NothingToSave, Saved, Spooled, drain, save
from holdfast.app.forgetting.forget import forget
from holdfast.app.forgetting.forget_plan import Wanted, plan_forget
from holdfast.bootstrap import Desk
from holdfast.bootstrap.forgetting import forgetting_at
from holdfast.domain.query import Scope
from holdfast.kernel.errors import StoreBusy
from holdfast.kernel.ids import reference
from holdfast.kernel.lazy_values import replace
from tests.e2e.conftest import Cli
from tests.e2e.work import SESSION, Work


@pytest.fixture
def desk(cli: Cli) -> Desk:
    work = Work(cli)
    work.asks("Greet the heron.")
    work.says("It was greeted.")
    work.saves("Herons")
    work.asks("And again.")
    work.says("Again.")
    return Desk(environ=os.environ, project=str(cli.project))


def request_of(desk: Desk, trigger: Any = "exit") -> SaveRequest:
    known = desk.store().session(SESSION)
    assert known is not None
    return SaveRequest(
        session_id=SESSION,
        transcript=known.transcript,
        directory=known.workspace,
        trigger=trigger,
        key=f"in-flight-{trigger}",
    )


def forget_it(desk: Desk) -> None:
    wanted = Wanted(reference=reference(f"session:{SESSION}"))
    forget(
        plan_forget(wanted, Scope(), desk.tools()), desk.tools(), forgetting_at(desk)
    )


class ForgettingCode:
    """The code of a project, in which looking takes so long that one can forget."""

    def __init__(self, desk: Desk) -> None:
        self._desk, self._inner = desk, desk.tools().code
        self.is_asked = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def state(self, directory: str) -> Any:
        if not self.is_asked:
            self.is_asked = True
            forget_it(self._desk)
        return self._inner.state(directory)


def test_a_session_forgotten_while_it_is_saved_stays_forgotten(desk: Desk) -> None:
    """The finisher of a hook runs for seconds after its look at the switch."""
    tools = replace(desk.tools(), code=ForgettingCode(desk))

    done = save(request_of(desk), tools)

    assert isinstance(done, NothingToSave)
    assert "turned off" in done.reason
    assert list(desk.store().retention_rows()) == []


def test_a_save_that_somebody_asks_for_is_made_all_the_same(desk: Desk) -> None:
    """Who saves by hand in a forgotten session wants it again."""
    request = request_of(desk, "command")
    forget_it(desk)

    done = save(request, desk.tools())

    assert isinstance(done, Saved)


def test_what_was_saved_after_the_plan_goes_too(desk: Desk) -> None:
    """Between the question and the answer a hook may have saved once more."""
    wanted = Wanted(reference=reference(f"session:{SESSION}"))
    plan = plan_forget(wanted, Scope(), desk.tools())
    assert isinstance(save(request_of(desk), desk.tools()), Saved)

    forget(plan, desk.tools(), forgetting_at(desk))

    assert list(desk.store().retention_rows()) == []
    assert forgetting_at(desk).orders.waiting() == ()


def test_a_save_that_began_to_wait_after_it_was_forgotten_is_let_go(
    desk: Desk,
) -> None:
    """A store that is busy sends it to the spool, where the next save would drain it."""
    busy = StoreBusy("somebody writes")
    request = request_of(desk)
    tools = desk.tools()

    def no_store() -> Any:
        raise busy

    forget_it(desk)
    waiting = save(request, replace(tools, open_store=no_store))
    drain(tools, desk.store())

    assert isinstance(waiting, Spooled)
    assert tools.spool.waiting() == 0
    assert list(desk.store().retention_rows()) == []
