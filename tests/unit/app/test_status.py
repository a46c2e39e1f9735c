"""How much was done since the last checkpoint, as far as the transcript tells."""

from holdfast.app.checkpoints.save import Saved, save
from holdfast.app.checkpoints.status import since
from holdfast.start.decision import is_candidate
from tests.builders import SESSION
from tests.conversation import Conversation
from tests.fakes import Workbench


def test_files_that_the_shell_changed_are_counted() -> None:
    """A session that works by `sed` and here-documents is as unsaved as any other."""
    bench, talk = Workbench(), Conversation()
    talk.asks("go")
    talk.calls("Bash", "cat > a.py <<EOF\none\ntwo\nEOF", outcome="ok")
    talk.calls("Bash", "sed -i s/a/b/ b.py && git rm c.py", outcome="ok")
    talk.calls("Bash", "sed -i s/a/b/ d.py", outcome="failed")
    bench.writes(SESSION, talk)

    found = since(None, SESSION, bench.ports)

    assert {file.path: file.change for file in found.files} == {
        "a.py": "edited",
        "b.py": "edited",
        "c.py": "deleted",
    }
    assert found.lines_added == 2


def test_a_session_is_a_candidate_by_a_file_that_its_shell_changed() -> None:
    """One command is little, but what it left in a file is work to go on with."""
    bench, talk = Workbench(), Conversation()
    talk.asks("switch the port")
    talk.calls("Bash", "sed -i s/80/8080/ server.conf", outcome="ok")
    bench.writes(SESSION, talk)

    done = save(bench.request(trigger="exit", type="auto"), bench.ports)

    assert isinstance(done, Saved)
    assert is_candidate(done.checkpoint)
