"""What every handler works with, and the application around them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.middleware import Middleware

from holdfast.app.checkpoints.conversation import Conversations
from holdfast.app.checkpoints.timeline import Timelines
from holdfast.bootstrap.forgetting import forget_means
from holdfast.bootstrap.serving import access_tokens
from holdfast.kernel.errors import HoldfastError
from holdfast.kernel.lazy_values import dataclass
from holdfast.surfaces.web.access import Access
from holdfast.surfaces.web.answering import failed, refused
from holdfast.surfaces.web.door import Door
from holdfast.surfaces.web.live import Watch
from holdfast.surfaces.web.routes import starlette_routes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import tzinfo

    from holdfast.app.forgetting.forget import ForgetMeans
    from holdfast.app.ports import Caller, Ports
    from holdfast.bootstrap import Container
    from holdfast.kernel.clock import Clock
    from holdfast.store.port import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """One server: a store, where it was started, and who was let in."""

    store: Store
    ports: Ports  # for verbs that look at more than the store
    timelines: Timelines
    conversations: Conversations
    forgetting: Callable[[], ForgetMeans]
    watch: Watch
    access: Access
    here: str  # the project it was started in; empty: none that is known
    budget: int  # tokens of a brief
    clock: Clock
    zone: tzinfo  # of whoever says `yesterday`
    caller: Callable[[], Caller]  # who asks for something to be done
    disk_octets: Callable[[], int]
    tilde: Callable[[str], str]
    environ: Mapping[str, str]


def site_at(container: Container, port: int) -> Site:
    """Return what a server on this port works with."""
    ports = container.ports()
    store = ports.open_store()
    timelines = Timelines(store)
    return Site(
        store=store,
        ports=ports,
        timelines=timelines,
        conversations=Conversations(
            lambda agent: container.ports(agent=agent).transcripts
        ),
        forgetting=lambda: forget_means(container),
        watch=Watch(timelines),
        access=Access(port, container.clock, access_tokens(container)),
        here=container.scope().project_id or "",
        budget=container.budget(None),
        clock=container.clock,
        zone=container.zone,
        caller=container.caller,
        disk_octets=container.disk_octets,
        tilde=container.tilde,
        environ=container.environ,
    )


def application(site: Site) -> Starlette:
    """Return the server's application: routes behind one door."""
    app = Starlette(
        routes=starlette_routes(),
        middleware=[Middleware(Door, access=site.access)],
        exception_handlers={HoldfastError: refused, Exception: failed},
    )
    app.state.site = site
    return app
