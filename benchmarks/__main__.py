"""`make bench`: every benchmark, each as ratios taken in one run."""

import sys
from importlib import import_module

_ALL = (
    "starting",
    "reading",
    "folding",
    "redacting",
    "secrets_found",
    "saving",
    "backfilling",
    "mcp_start",
    "snapshots",
    "restoring",
    "handing",
    "merging",
    "filtering",
    "searching",
    "history",
    "blaming",
    "timeline_page",
    "team_saving",
    "mirroring",
    "http_mcp",
)


def main() -> None:
    for name in sys.argv[1:] or _ALL:
        print(f"\n== {name}", flush=True)
        import_module(f"benchmarks.{name}").main()


if __name__ == "__main__":
    main()
