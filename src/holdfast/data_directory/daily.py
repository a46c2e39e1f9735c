"""Work that is done once a day: an empty file remembers when."""

import os

_DAY_MS = 86_400_000


def claim_daily_run(path: str, now_ms: int) -> bool:
    """Claim today's run: True for the first who asks in a day, who then does it.

    A clock that was set back makes it due, too. Where the file cannot be written it is
    never due: then nothing else can be, either.
    """
    try:
        done = os.stat(path).st_mtime_ns // 1_000_000
    except OSError:
        done = 0
    if 0 <= now_ms - done < _DAY_MS:
        return False
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK
        descriptor = os.open(path, flags, 0o600)
    except OSError:
        return False
    try:
        os.utime(descriptor, ns=(now_ms * 1_000_000, now_ms * 1_000_000))
    finally:
        os.close(descriptor)
    return True
