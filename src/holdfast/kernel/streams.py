"""The three streams of a process, whoever started it."""

import os
import sys


def open_streams() -> None:
    """Make sure that 0, 1 and 2 are open, and that what is printed goes there.

    A caller may have closed one (`>&-`). The next file that is opened would get its number,
    and our words would go into it.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            opened = os.open(os.devnull, os.O_RDWR)  # the lowest number that is free
            # Or the same befalls what we start.
            os.set_inheritable(opened, True)  # noqa: FBT003  # it has no name
        if getattr(sys, name) is None:
            mode = "w" if number else "r"
            stream = open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115  # for good
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)  # what it is put back to
