"""One module per reason to leave a file alone: facts in, findings out.

A module of this folder registers its functions with `@restriction(code, name)`. What makes a file
none of our business is asked first, in `gate`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Callable

from ..applying.discovery import load, modules
from ..model import RECOMPUTE, Finding, Options
from ..program.records import NamedTuple
from ._one_per_cause import one_finding_per_cause

if TYPE_CHECKING:
    from ..facts import Facts

Check = Callable[["Facts"], Iterable[Finding]]


class Restriction(NamedTuple):
    """One restriction; its page is `pages/<code>.md`."""

    code: str
    name: str
    check: Check
    settles: bool = False  # nothing else matters where it holds: the loop is not ours to migrate
    stands: bool = False  # its notes are worth knowing though something else blocks the file
    rule: str = ""  # the rule that it restricts; empty: all of those about many workers
    is_hazard: bool = False  # about Horovod that is there: told whatever becomes of the file
    proves: bool = False  # what it finds is wrong in a program of many workers, too

    def is_asked(self, options: Options) -> bool:
        """Whether a rule that it restricts is to be applied."""
        return options.recomputes if self.rule == RECOMPUTE else options.distributes


REGISTRY: list[Restriction] = []
RECOMPUTING = ("c0", "c1", "d501_")  # the modules of those that restrict D501 alone
HAZARDS = (*(f"h0{number}_" for number in range(5, 10)), "h1")  # and of those of Horovod by hand


def restriction(
    code: str,
    name: str,
    settles: bool = False,
    rule: str = "",
    stands: bool = False,
    proves: bool = False,
) -> Callable[[Check], Check]:
    """Register a function that yields a Finding for every place that violates the restriction."""

    def register(check: Check) -> Check:
        REGISTRY.append(Restriction(code, name, check, settles, stands, rule, proves=proves))
        return check

    return register


def hazard(code: str, name: str) -> Callable[[Check], Check]:
    """The same for what goes wrong in Horovod that a person has written."""

    def register(check: Check) -> Check:
        REGISTRY.append(Restriction(code, name, check, stands=True, is_hazard=True, proves=True))
        return check

    return register


@cache
def all(recomputes: bool = True, hazards: bool = True) -> tuple[Restriction, ...]:
    """Every restriction there is, ordered by code.

    Those of D501 are loaded if it is asked for, those of Horovod where a program has it.
    """
    others = (*(() if recomputes else RECOMPUTING), *(() if hazards else HAZARDS))
    load(__name__, (name for name in modules(__path__) if not name.startswith(others)))
    return tuple(sorted(REGISTRY, key=_code_and_name))


def _code_and_name(restriction: Restriction) -> tuple[str, str]:
    return restriction.code, restriction.name


def _is_asked_later(restriction: Restriction) -> bool:
    return not restriction.settles


def findings(facts: Facts) -> tuple[Finding, ...]:
    """What is told of what every restriction finds; one that settles it speaks alone."""
    found: list[Finding] = []
    known = all(facts.options.recomputes, may_have_hazards(facts))
    asked = [each for each in known if each.is_asked(facts.options)]
    for restriction in sorted(asked, key=_is_asked_later):
        if restriction.is_hazard:
            continue
        found += (_of(restriction, each) for each in restriction.check(facts))
        if found and restriction.settles:
            break
    return one_finding_per_cause([*found, *hazards(facts)])


def hazards(facts: Facts) -> tuple[Finding, ...]:
    """What goes wrong in the program's own Horovod, whether or not anything is done to the file."""
    if not may_have_hazards(facts):
        return ()
    asked = (each for each in all(facts.options.recomputes) if each.is_hazard)
    return one_finding_per_cause([_of(each, f) for each in asked for f in each.check(facts)])


def _of(restriction: Restriction, finding: Finding) -> Finding:
    proves = finding.proves or restriction.proves
    return finding._replace(stands=restriction.stands, proves=proves)


def may_have_hazards(facts: Facts) -> bool:
    """Whether the program has Horovod already, and is to keep it."""
    return facts.has_horovod and facts.options.distributes
