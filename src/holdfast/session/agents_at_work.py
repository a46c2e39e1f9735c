"""The sub-agents of a session while its state is being continued."""

from collections.abc import Iterable

from holdfast.domain.session import AgentWork, Turn
from holdfast.session.limits import Limits
from holdfast.session.turns import OpenTurn


class AgentsAtWork:
    """One open turn for each sub-agent that is heard of, the others as they were."""

    __slots__ = ("_known", "_limits", "_open")

    def __init__(self, agents: Iterable[AgentWork], limits: Limits) -> None:
        self._limits = limits
        self._known = {work.agent: work for work in agents}
        self._open: dict[str, OpenTurn] = {}

    def turn(self, agent: str) -> OpenTurn:
        """Return the turn in which a sub-agent's work is kept."""
        turn = self._open.get(agent)
        if turn is None:
            work = self._known.get(agent) or AgentWork(agent, Turn())
            self._known[agent] = work
            turn = self._open[agent] = OpenTurn(work.turn, self._limits.sub_agent)
            if len(self._known) > self._limits.agents:
                self._drop_one(agent)
        return turn

    def frozen(self) -> tuple[AgentWork, ...]:
        """Return the work of each sub-agent, by id."""
        for agent in list(self._open):
            self._close(agent)
        return tuple(self._known[agent] for agent in sorted(self._known))

    def _drop_one(self, newest: str) -> None:
        """Let go of the sub-agent that has been silent for longest."""
        for agent in list(self._open):
            if agent != newest:
                self._close(agent)
        _, oldest = min(
            (work.turn.ended_at, work.agent)
            for work in self._known.values()
            if work.agent != newest
        )
        del self._known[oldest]

    def _close(self, agent: str) -> None:
        self._known[agent] = AgentWork(agent, self._open.pop(agent).frozen())
