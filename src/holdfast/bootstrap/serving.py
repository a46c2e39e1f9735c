"""What `holdfast serve` works with: valid tokens, and what each may see."""

from holdfast.agents.port import Transcripts
from holdfast.agents.some_transcripts import SomeTranscripts
from holdfast.app.ports import Ports
from holdfast.bootstrap import Container
from holdfast.data_directory.access_tokens import TokenFile
from holdfast.data_directory.port import AccessTokens
from holdfast.kernel.lazy_values import replace
from holdfast.store.one_project import one_project
from holdfast.store.port import Store


def access_tokens(container: Container) -> AccessTokens:
    """Return the tokens of whoever may ask this data directory's server."""
    return TokenFile(container.home)


def good_tokens(container: Container) -> int:
    """Return how many tokens let somebody in now.

    Raises:
        TokensUnreadable
    """
    now_ms = container.clock.now_ms()
    return sum(each.is_good(now_ms) for each in access_tokens(container).every())


def another(container: Container) -> Container:
    """Return one of the same project and settings, with a store of its own."""
    return Container(
        environ=container.environ,
        project=container.directory,
        store=container.config.store,
        clock=container.clock,
        tolerant=True,
    )


def ports_of_project(ports: Ports, project_id: str) -> Ports:
    """Return what verbs need, for somebody who may know one project only.

    All that they are handed is limited, so no verb and no page has to think of it.
    """
    whole = ports.open_store()
    store = one_project(whole, project_id)
    transcripts = transcripts_in(store, whole, ports.transcripts)
    return replace(ports, open_store=lambda: store, transcripts=transcripts)


def transcripts_in(store: Store, whole: Store, transcripts: Transcripts) -> Transcripts:
    """Return the transcripts of those sessions that were in no other project.

    One that was in two has the words of both, and nobody can tell them apart.
    """

    def is_known(session_id: str) -> bool:
        seen, kept = store.session(session_id), whole.session(session_id)
        return bool(seen and kept and seen.checkpoints == kept.checkpoints)

    return SomeTranscripts(transcripts, is_known)
