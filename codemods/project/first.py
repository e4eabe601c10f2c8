"""The program of an entry as the first look makes it: what repairs make is asked of the same."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Optional

from ..facts import Facts
from ..facts.closing import closing
from ..model import Options
from .joined import Joined

Known = Optional[tuple[Joined, Facts]]  # None for an entry that can't be joined with others


class First:
    """What a look has made of an entry, until `until_then` is closed.

    `is_known` only where that look came to an end.
    """

    def __init__(self, until_then: ExitStack) -> None:
        self.is_known = False
        self._known: Known = None
        self.until_then = until_then

    def facts(self, joined: Joined, options: Options) -> Facts:
        """The facts of a program, which are forgotten when the repairs are through."""
        return self.until_then.enter_context(closing(Facts(joined.source, options, joined)))

    def note(self, known: Known) -> None:
        """Keep what was made for those who ask next."""
        self.is_known, self._known = True, known

    def asked_next(self) -> Known:
        """The same for a repair, which has as many steps of the engine as a look of its own."""
        if self._known is not None:
            self._known[1].program.begin_anew()
        return self._known
