"""Show what would leave this machine before a file is written or a ref is sent."""

from collections.abc import Iterator, Sequence

from holdfast.app.sharing.export import Sharing
from holdfast.domain.amounts import counted
from holdfast.domain.text import plain
from holdfast.kernel.ids import label
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.terminal import ask

_TOLD = 20  # reasons


def review(sharing: Sharing) -> Iterator[str]:
    """Yield what would leave this machine."""
    yield f"what would leave this machine ({counted(len(sharing.pages), 'checkpoint')}):"
    for each in sharing.checkpoints:
        content = each.draft.content
        parts = (
            counted(len(content.requests), "request"),
            counted(len(content.files), "file name"),
            counted(len(content.commands), "command"),
            counted(len(each.draft.details), "observation"),
        )
        yield f"  {label(each.number)}  {plain(content.title)}"
        yield f"    {', '.join(parts)}"
    yield f"  machine names included: {', '.join(map(plain, sharing.hosts))}"
    files, lines = sharing.code_files, sum(map(_lines, sharing.transcripts.values()))
    code = f"{counted(files, 'file')} of code" if files else "no code"
    said = f"{counted(lines, 'line')} of transcript" if lines else "no transcript"
    yield f"  {code}, {said}; secrets were removed before it was saved"


def _lines(transcript: bytes) -> int:
    return transcript.count(b"\n")


def warn_of(reasons: Sequence[str], output: Output) -> None:
    """Say why some stay out: whoever may push can put any number of them there."""
    for why in reasons[:_TOLD]:
        output.warn(why)
    if len(reasons) > _TOLD:
        output.warn(f"and {len(reasons) - _TOLD:,} more")


def agrees(question: str, output: Output) -> bool:
    return (ask(question, output) or "").lower() in ("y", "yes")
