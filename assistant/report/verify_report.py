"""Everything that a run of `distify verify` has to tell, whatever the format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from distify.codemods.program.records import NamedTuple

from ..verify.record.verdict import Verdict, exit_code

if TYPE_CHECKING:
    from ..verify.model.fault import Answer
    from ..verify.record.evidence import Evidence
    from ..verify.run.scaling import Speed


class Told(NamedTuple):
    """What was seen of a job and what the judges say, and of its second run with `--resume`."""

    evidence: Evidence
    verdicts: tuple[Verdict, ...]
    answer: Optional[Answer] = None  # noqa: UP045  Python 3.9 evaluates it
    second: Optional[Evidence] = None  # noqa: UP045  None: it was not made
    again: tuple[Verdict, ...] = ()  # of the second run; empty without `--resume`
    speeds: tuple[Speed, ...] = ()  # of several numbers of workers, where these were asked for

    @property
    def runs(self) -> tuple[Evidence, ...]:
        """The runs that were made."""
        return (self.evidence,) if self.second is None else (self.evidence, self.second)

    @property
    def exit_code(self) -> int:
        """A fault of any counts; without one, all have to have an answer."""
        codes = {exit_code(self.verdicts), self.answer.exit_code if self.answer else 0}
        codes |= {exit_code(self.again)} if self.again else set()
        return 1 if 1 in codes else max(codes)
