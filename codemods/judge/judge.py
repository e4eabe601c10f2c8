"""Asks each obligation of a program, and says what keeps a result from being written."""

from __future__ import annotations

from collections.abc import Iterable

from .case import Case
from .obligations import Obligation, asked, asked_of_one
from .proof import Proof


def judge(case: Case, obligations: Iterable[Obligation] | None = None) -> list[Proof]:
    """What is proved of a program, and what isn't. Raises TooLarge.

    `obligations`: those that are asked; all that such a program is judged by, if nobody says.
    """
    if obligations is None:
        obligations = asked_of_one() if case.is_for_one else asked(case.is_result)
    return [proof for each in obligations for proof in each.prove(case)]


def refusals(proofs: Iterable[Proof], taken_on: frozenset[str]) -> list[Proof]:
    """The proofs that keep a result from being written.

    `taken_on`: the obligations that a person takes on themselves, by name.
    """
    enforced = {each.name for each in asked(is_result=True) if each.is_enforced}
    return [p for p in proofs if not p.holds and p.obligation in enforced - taken_on]
