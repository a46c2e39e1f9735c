"""The zone the user lives in, as the machine knows it, changes of the clocks included.

Apart from kernel/clock.py, because hooks need the time and never a calendar.
"""

from datetime import UTC, datetime, timedelta, tzinfo


class LocalZone(tzinfo):
    """What the C library says of each moment: `TZ`, or the machine's own setting."""

    def utcoffset(self, moment: datetime | None, /) -> timedelta | None:
        return _local(moment).utcoffset() if moment else None

    def dst(self, _: datetime | None, /) -> timedelta | None:
        return None  # how much of the offset is summer time matters to nobody here

    def tzname(self, moment: datetime | None, /) -> str | None:
        return _local(moment).tzname() if moment else None

    def fromutc(self, moment: datetime, /) -> datetime:
        known = moment.replace(tzinfo=UTC).astimezone()
        local = known.replace(tzinfo=self)
        # An hour that comes twice in autumn: this is its second time.
        is_second = local.utcoffset() != known.utcoffset()
        return local.replace(fold=1) if is_second else local


def _local(moment: datetime) -> datetime:
    return moment.replace(tzinfo=None).astimezone()
