"""What a team's database takes: saves of many clients, beside what the engine does bare.

Goals: 32 clients keep ≥ 200 checkpoints of usual size each second in one project and ≥ 500 over
eight, none lost. Beside them, in the same run, 32 clients of the bare engine that insert a
text of the same size and count a row up, each commit flushed: one row that all share, and
eight. Clients are processes of this machine, so they and the server share its cores.

Then the server is killed six times while they save: none lost, none doubled, and every
client saves again within 5 s after the server is back.
"""

import multiprocessing
import sys
import time
from collections.abc import Callable
from functools import partial

import psycopg

from benchmarks.saving import a_usual_draft
from holdfast.domain.checkpoint import Draft
from holdfast.domain.query import Scope
from holdfast.domain.record import draft_record
from holdfast.kernel.digests import canonical
from holdfast.kernel.lazy_values import replace
from holdfast.store.postgres.database import Limits
from holdfast.store.postgres.store import open_team_store
from tests.builders import session_number
from tests.postgres_server import Server, running

_CLIENTS = 32
_SECONDS = 8.0
_KILLS = 6
_BETWEEN = 3.0  # seconds
_LIMITS = Limits(connections=1, connect=60, patience=60)
_GOALS = {1: 200, 8: 500}
_BARE = """
    CREATE TABLE counter (id int PRIMARY KEY, n bigint NOT NULL);
    INSERT INTO counter SELECT g, 0 FROM generate_series(0, 7) AS g;
    CREATE TABLE kept (id int, n bigint, body text, PRIMARY KEY (id, n));
"""


def main() -> None:
    with running(hasty=False) as server:
        open_team_store(server.dsn, create=True).close()
        with psycopg.connect(server.dsn, autocommit=True) as connection:
            connection.execute(_BARE)
        size = len(canonical(draft_record(a_usual_draft(1))).encode())
        print(f"a record of {size:,} bytes, {_CLIENTS} clients, {_SECONDS:.0f} s each")
        for projects, goal in _GOALS.items():
            bare = _rate(partial(_bare, server.dsn, projects))
            kept = _rate(partial(_saving, server.dsn, projects))
            lost = _lost(server.dsn, projects, kept)
            rate, floor = kept / _SECONDS, bare / _SECONDS
            print(
                f"{projects} project(s): {rate:,.0f} saves/s (goal {goal}), bare engine"
                f" {floor:,.0f}/s, {rate / floor:.2f} of it; lost {lost}"
            )
            if lost or rate < goal:
                print("  below the goal", file=sys.stderr)
        _killed(server)


def _killed(server: Server) -> None:
    """Kill the server again and again, and see what became of what was acknowledged."""
    context = multiprocessing.get_context("spawn")
    ready, told = context.Barrier(_CLIENTS + 1), context.Queue()
    end = context.Event()
    clients = [
        context.Process(
            target=_enduring, args=(server.dsn, n, ready, end, told), daemon=True
        )
        for n in range(_CLIENTS)
    ]
    for each in clients:
        each.start()
    ready.wait()
    back = []
    for _ in range(_KILLS):
        end.wait(_BETWEEN)
        server.kill()
        server.start()
        back.append(time.monotonic())
    end.wait(_BETWEEN * 2)
    end.set()
    moments = [told.get() for _ in clients]
    for each in clients:
        each.join()
    saved = sum(map(len, moments))
    slowest = max(
        next((at for at in own if at > since), float("inf")) - since
        for own in moments
        for since in back
    )
    kept = _count(server.dsn, "killed")
    print(
        f"killed {_KILLS} times: {saved:,} saves acknowledged, {kept - saved:+,} kept"
        f" beyond them; slowest client back after {slowest:.1f} s (goal 5)"
    )


def _enduring(dsn, number, ready, end, told) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001  # shared values have no types
    draft = _placed(number, "killed")
    moments = []
    with open_team_store(dsn, create=False, limits=_LIMITS) as store:
        ready.wait()
        turn = 0
        while not end.is_set():
            store.put(_own(draft, number, turn))
            moments.append(time.monotonic())
            turn += 1
    told.put(moments)


def _rate(client: Callable[..., None]) -> int:
    """Return how often all clients together did it within the time."""
    context = multiprocessing.get_context("spawn")
    done = context.Value("q", 0)
    ready = context.Barrier(_CLIENTS)
    clients = [
        context.Process(target=client, args=(number, ready, done), daemon=True)
        for number in range(_CLIENTS)
    ]
    for each in clients:
        each.start()
    for each in clients:
        each.join()
    return int(done.value)


def _saving(dsn, projects, number, ready, done) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001  # shared values have no types
    draft = _placed(number, f"{projects}-{number % projects}")
    with open_team_store(dsn, create=False, limits=_LIMITS) as store:
        _until_over(ready, done, lambda turn: store.put(_own(draft, number, turn)))


def _placed(number: int, project: str) -> Draft:
    return replace(
        a_usual_draft(number),
        project_id=project,
        project_root=f"/code/{project}",
        session_id=session_number(number + 1),
    )


def _own(draft: Draft, number: int, turn: int) -> Draft:
    key = f"{draft.project_id}-{number}-{turn}"
    return replace(draft, key=key, state_key=key, created_at=draft.created_at + turn)


def _bare(dsn, rows, number, ready, done) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001  # see above
    body = canonical(draft_record(a_usual_draft(number)))
    with psycopg.connect(dsn, autocommit=True) as connection:

        def insert(_: int) -> None:
            with connection.transaction():
                row = connection.execute(
                    "UPDATE counter SET n = n + 1 WHERE id = %s RETURNING n",
                    (number % rows,),
                ).fetchone()
                assert row is not None
                values = (number % rows, row[0], body)
                connection.execute("INSERT INTO kept VALUES (%s, %s, %s)", values)

        _until_over(ready, done, insert)


def _until_over(ready, done, act) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001  # see above
    ready.wait()
    end = time.perf_counter() + _SECONDS
    turn = 0
    while time.perf_counter() < end:
        act(turn)
        turn += 1
    with done.get_lock():
        done.value += turn


def _lost(dsn: str, projects: int, acknowledged: int) -> int:
    kept = sum(_count(dsn, f"{projects}-{number}") for number in range(projects))
    return acknowledged - kept


def _count(dsn: str, project: str) -> int:
    with open_team_store(dsn, create=False) as store:
        return store.count(Scope(project_id=project))


if __name__ == "__main__":
    main()
