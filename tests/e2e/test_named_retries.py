"""A save by name that is asked for twice at once is one checkpoint and one file."""

import os
from collections.abc import Callable
from typing import Any

from holdfast.app.checkpoints.drafting import SaveRequest
from holdfast.app.checkpoints.save import Saved, save
from holdfast.app.notes.save_named import put_named
from holdfast.app.ports import Ports
from holdfast.bootstrap import Container
from holdfast.domain.checkpoint import Draft, PutResult
from holdfast.kernel.lazy_values import replace
from holdfast.store.port import Store
from tests.e2e.conftest import SAMPLE, SESSION, Cli
from tests.e2e.test_named import Memory

WORDS = ("--transcript", str(SAMPLE), "--name", "api", "--key", "once")


class _Overtaken:
    """A store that another process writes to right before each save."""

    def __init__(self, store: Store, first: Callable[[], object]) -> None:
        self._store, self._first = store, first

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def put(self, draft: Draft) -> PutResult:
        self._first()
        return self._store.put(draft)


def test_a_retry_that_was_faster_leaves_no_copy_of_its_own_file(cli: Cli) -> None:
    """The file that it wrote was taken for a person's, and kept as a checkpoint."""
    memory = Memory(cli)
    container = Container(environ=os.environ, project=str(cli.project))

    def overtaken(
        draft: Draft, ports: Ports, store: Store
    ) -> tuple[PutResult, tuple[str, ...]]:
        late: Any = _Overtaken(store, lambda: cli("save", *WORDS))
        return put_named(draft, ports, late)

    request = SaveRequest(
        session_id=SESSION,
        transcript=str(SAMPLE),
        directory=str(cli.project),
        directory_given=True,
        name="api",
        key="once",
    )
    saved = save(request, replace(container.ports(create=True), put_named=overtaken))

    assert isinstance(saved, Saved)
    assert saved.outcome == "repeated"
    assert memory.file("api").exists()
    assert len(cli("list", "--all", "--json").json["checkpoints"]) == 1
