"""Taking out of a store what should never have been kept in it."""

from collections.abc import Callable
from typing import Any, Protocol

from holdfast.domain.checkpoint import Draft
from holdfast.domain.rewriting import Rewrite


class Rewritable(Protocol):
    """A store's part. Each sentence is a contract test."""

    def rewrite(
        self, checkpoint_id: str, draft: Draft, reason: str, key: str | None = None
    ) -> Rewrite | None:
        """Let a record say `draft` instead; its old hash and the reason stay.

        Its id, number, sequence, place, name and retry key are what they were, and so
        must `draft`'s session, project and moment be. Nothing that only the old text
        said can be found again, the session's fold goes, and the chain stays whole. A
        draft that says the same makes no entry and returns None.

        With `key` the retry key is that one, or none where another record has it.

        Raises:
            CheckpointNotFound: there is none, or a tombstone.
            StoreDamaged: the record does not match its hash: it is left as evidence.
            StoreBusy, StoreNotFound
        """
        ...

    def drop_unclean_folds(self, is_clean: Callable[[Any], bool]) -> int:
        """Drop each kept fold whose text is not clean, and return how many.

        `is_clean` is asked with the JSON value of each part. A fold can be made again.
        """
        ...
