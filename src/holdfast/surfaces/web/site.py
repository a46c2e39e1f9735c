"""What every handler works with, and the application around them."""

from __future__ import annotations

import os
from collections import Counter, OrderedDict
from contextlib import nullcontext
from threading import Lock
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect

from holdfast.app.checkpoints.conversation import Conversations
from holdfast.app.checkpoints.timeline import Timelines
from holdfast.bootstrap.forgetting import forget_means
from holdfast.bootstrap.serving import access_tokens, ports_of_project, transcripts_in
from holdfast.domain.query import Scope
from holdfast.kernel.errors import HoldfastError
from holdfast.kernel.lazy_values import dataclass, replace
from holdfast.surfaces.web.access import Access
from holdfast.surfaces.web.answering import failed, gone, refused, turned_away
from holdfast.surfaces.web.door import Door
from holdfast.surfaces.web.live import Watch
from holdfast.surfaces.web.routes import starlette_routes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import tzinfo

    from holdfast.agents.port import Transcripts
    from holdfast.app.forgetting.forget import ForgetMeans
    from holdfast.app.ports import Caller, Ports
    from holdfast.bootstrap import Container
    from holdfast.domain.access import Grant
    from holdfast.kernel.clock import Clock
    from holdfast.store.port import Store
    from holdfast.surfaces.web.exposure import Exposure
    from holdfast.surfaces.web.programs import Programs

_MOST_LIMITED = 32  # projects whose rows are kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """One server: a store, where it was started, and who was let in."""

    store: Store
    ports: Ports  # for verbs that look at more than the store
    timelines: Timelines
    transcripts_of: Callable[[str], Transcripts]  # of an agent
    conversations: Conversations
    forgetting: Callable[[], ForgetMeans]
    watch: Watch
    access: Access
    here: str  # the project it was started in; empty: none that is known
    budget: int  # tokens of a brief
    clock: Clock
    zone: tzinfo  # of whoever says `yesterday`
    caller: Callable[[], Caller]  # who asks for something to be done
    disk_octets: Callable[[], int | None]
    tilde: Callable[[str], str]
    environ: Mapping[str, str]
    streams: Counter[str]  # how many pages of a token listen for news
    whole: Site | None = None  # what a site of one project is a part of

    @property
    def is_here(self) -> bool:
        """Say whether the directory it was started in is of what may be seen."""
        return self.whole is None or self.whole.here == self.here


class Sites:
    """What each grant gets to see: everything, or a site with one project in it."""

    def __init__(self, whole: Site) -> None:
        self.whole = whole
        self._guard = Lock()
        self._limited: OrderedDict[str, Site] = OrderedDict()

    def of(self, grant: Grant) -> Site:
        """Return what a request with this grant works with."""
        if not grant.projects:
            return self.whole
        (project,) = grant.projects
        with self._guard:
            found = self._limited.pop(project, None) or _limited(self.whole, project)
            self._limited[project] = found
            while len(self._limited) > _MOST_LIMITED:
                self._limited.popitem(last=False)
            return found


def _limited(site: Site, project: str) -> Site:
    """Return a site in which there is nothing but one project."""
    ports = ports_of_project(site.ports, project)
    store = ports.open_store()
    timelines = Timelines(store)

    def transcripts_of(agent: str) -> Transcripts:
        return transcripts_in(store, site.store, site.transcripts_of(agent))

    def caller() -> Caller:
        who = site.caller()
        if who.scope.project_id == project:
            return who
        return replace(who, scope=Scope(project_id=project), directory=os.devnull)

    return replace(
        site,
        store=store,
        ports=ports,
        timelines=timelines,
        transcripts_of=transcripts_of,
        conversations=Conversations(transcripts_of),
        watch=Watch(timelines),
        here=project,
        caller=caller,
        disk_octets=lambda: None,
        whole=site,
    )


def site_at(container: Container, exposure: Exposure) -> Site:
    """Return what a server works with."""
    ports = container.ports()
    store = ports.open_store()

    def transcripts_of(agent: str) -> Transcripts:
        return container.ports(agent=agent).transcripts

    timelines = Timelines(store)
    return Site(
        store=store,
        ports=ports,
        timelines=timelines,
        transcripts_of=transcripts_of,
        conversations=Conversations(transcripts_of),
        forgetting=lambda: forget_means(container),
        watch=Watch(timelines),
        access=Access(exposure, container.clock, access_tokens(container)),
        here=container.scope().project_id or "",
        budget=container.budget(None),
        clock=container.clock,
        zone=container.zone,
        caller=container.caller,
        disk_octets=container.disk_octets,
        tilde=container.tilde,
        environ=container.environ,
        streams=Counter(),
    )


def application(
    site: Site,
    tell: Callable[[str], None] | None = None,
    programs: Programs | None = None,
) -> Starlette:
    """Return the server's application: routes behind one door; `tell` is told a line
    about each request."""
    app = Starlette(
        lifespan=lambda _: programs.run() if programs else nullcontext(),
        routes=starlette_routes(),
        middleware=[Middleware(Door, access=site.access, tell=tell)],
        exception_handlers={
            HoldfastError: refused,
            HTTPException: turned_away,
            ClientDisconnect: gone,
            Exception: failed,
        },
    )
    app.state.sites = Sites(site)
    app.state.programs = programs
    return app
