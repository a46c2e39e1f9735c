"""Secrets are taken out of every text before anything keeps it; `redactor` is the door.

`formats` are data, `tokens` finds them; `names`, `words`, `prose`, `places` and `blocks`
find what something around it announces; `values` says whether it is a secret; `scan` says
where to look at all.
"""

from collections.abc import Callable, Iterable

Span = tuple[int, int, str]  # start, end, kind
Look = Callable[[str, int], Iterable[Span]]  # what stands at this place of a text
