"""Which mirrors are set up, how each is reached, and which process sends.

One process at a time sends to a target; who comes meanwhile waits a moment, so that what
was kept while the other ended is not left behind.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from holdfast.app.sharing.mirroring import Synced, mirror_to, state_of
from holdfast.bootstrap.projects import is_of_project
from holdfast.domain.outbox import OutboxState
from holdfast.domain.query import HealthResult
from holdfast.kernel.directories import open_directory
from holdfast.kernel.errors import ConfigInvalid, HoldfastError, MirrorDown
from holdfast.kernel.locks import Lock
from holdfast.mirrors.web import SECONDS, Web, web_address

if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.bootstrap import Container
    from holdfast.config.settings import MirrorSetting
    from holdfast.mirrors.port import Mirror

FOLDER = "sync"
_LOOK_SECONDS = 3.0  # for a look at whether somebody answers
_PATIENCE = 5.0  # seconds for who is at it already


def mirror_setting(container: Container, kind: str) -> MirrorSetting:
    """Return the mirror of a kind.

    Raises:
        ConfigInvalid: none is set up.
    """
    for setting in container.config.mirrors:
        if setting.kind == kind:
            return setting
    raise ConfigInvalid(
        f"no mirror of kind `{kind}` is set up",
        hint=f'holdfast config set mirrors \'[{{"kind": "{kind}"}}]\'',
    )


def open_mirror(
    container: Container, setting: MirrorSetting, seconds: float = SECONDS
) -> Mirror:
    """Return a mirror, found where its settings or ours say.

    Raises:
        MirrorDown: nothing may be sent there, or nobody answers.
    """
    if setting.kind == "memora":
        from holdfast.mirrors.memora import USUAL_URL, Memora

        return Memora(Web(web_address(setting.url or USUAL_URL), seconds))
    from holdfast.mirrors.claude_mem import ClaudeMem

    if setting.url:
        return ClaudeMem(Web(web_address(setting.url), seconds))
    return _found_worker(container, seconds)


def _found_worker(container: Container, seconds: float) -> Mirror:
    from holdfast.mirrors.claude_mem import ClaudeMem
    from holdfast.mirrors.claude_mem_rows import worker_addresses

    home = container.environ.get("HOME", "")
    if not home or is_of_project(container, home):
        raise MirrorDown("your home directory is not known", hint="set its `url`")
    trouble: MirrorDown | None = None
    for address in worker_addresses(home, os.getuid()):
        mirror = ClaudeMem(Web(address, seconds))
        try:
            mirror.check()
        except MirrorDown as problem:
            trouble = trouble or problem
        else:
            return mirror
    raise trouble or MirrorDown("it is not found", hint="start claude-mem")


def sync_mirror(
    container: Container, kind: str, *, everything: bool, only_due: bool
) -> Synced:
    """Send to one mirror what waits for it.

    Raises:
        ConfigInvalid: it is not set up.
    """
    setting = mirror_setting(container, kind)
    with _turn(container.home, kind) as is_ours:
        if not is_ours:
            waiting = _state(container, kind).waiting
            busy = "another process is sending to it"
            return Synced(target=kind, waiting=waiting, problem=busy)
        return mirror_to(
            kind,
            lambda: open_mirror(container, setting),
            container.ports(create=True),
            everything=everything,
            only_due=only_due,
        )


def check_mirrors(container: Container) -> Iterator[HealthResult]:
    """Yield how things stand with each mirror: who answers, and what waits."""
    for setting in container.config.mirrors:
        name, state = f"mirror {setting.kind}", _state(container, setting.kind)
        waits = f"{state.waiting:,} waiting, {state.done:,} there"
        try:
            version = open_mirror(container, setting, _LOOK_SECONDS).check()
        except MirrorDown as down:
            told = f"{down.message}; {waits}"
            hint = f"{down.hint}; what waits will be sent automatically"
            yield HealthResult(name, "warn", told, hint)
            continue
        told = f"version {version} answers; {waits}"
        if state.waiting:
            why = f": {state.error}" if state.error else ""
            hint = f"send it now with `holdfast sync {setting.kind}`"
            yield HealthResult(name, "warn", f"{told}{why}", hint)
        else:
            yield HealthResult(name, "ok", told)


def _state(container: Container, kind: str) -> OutboxState:
    try:
        return state_of(kind, container.store())
    except HoldfastError:
        return OutboxState(target=kind)  # the store's own finding says what is wrong


@contextmanager
def _turn(home: str, target: str) -> Iterator[bool]:
    """Hold a target's lock, if that can be had in a moment."""
    directory = open_directory(f"{home}/{FOLDER}", create=True)
    try:
        with Lock(f"{target}.lock", directory, _PATIENCE).held():
            yield True
    except TimeoutError:
        yield False
    finally:
        os.close(directory)
