"""How many secrets redaction finds, and how much else it takes for one.

Provider formats that the rules list and formats they were not written from; labelled
lines the rules were tuned on and lines held apart. `--missed` prints what was not found,
or found wrongly, in a set.
"""

import sys

from tests.secret_lines import Line, is_gone, is_hidden, lines, vectors

_FORMATS = ("listed.txt", "unseen.txt", "fresh.txt")
_LINES = ("lines-dev.txt", "lines-unseen.txt")


def main() -> None:
    missed = sys.argv[2:] if "--missed" in sys.argv else []
    for name in _FORMATS:
        all_of = vectors(name)
        left = [line for line in all_of if not is_gone(line)]
        print(f"{name:20} {1 - len(left) / len(all_of):6.3f} of {len(all_of)} gone")
        if name in missed:
            _show(left)
    for name in _LINES:
        labelled = lines(name)
        true = [line for line in labelled if line.is_secret]
        false = [line for line in labelled if not line.is_secret]
        left = [line for line in true if not is_hidden(line)]
        wrong = [line for line in false if is_hidden(line)]
        print(
            f"{name:20} recall {1 - len(left) / len(true):.3f} of {len(true)},"
            f" false positives {len(wrong) / len(false):.3f} of {len(false)}"
        )
        if name in missed:
            _show(left + wrong)


def _show(found: list[Line]) -> None:
    for line in found:
        print(f"    {'' if line.is_secret else 'wrongly '}{line.group}: {line.text}")


if __name__ == "__main__":
    main()
