"""A process that saves under a name, again and again.

    python -m tests.faults.named_writer PROJECT TRANSCRIPT NAME COUNT

It says `ready`, waits for a line, then saves COUNT times as a user would, and exits with
the first status that is not 0.
"""

import sys

from holdfast.surfaces.cli.main import run


def main() -> None:
    project, transcript, name, count = sys.argv[1:]
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    for turn in range(1, int(count) + 1):
        title = ["--title", f"Save {turn} of {name}"]
        words = ["save", "--transcript", transcript, "--name", name, "--force", *title]
        status = run([*words, "--project", project, "--json"])
        if status:
            sys.exit(status)


if __name__ == "__main__":
    main()
