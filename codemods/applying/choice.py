"""Which rules are applied: those selected and what they need, or all but those ignored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..model import KEEP_BATCH, RECOMPUTE, Options, RuleNeeded
from ..rewrites import Rewrite


def choose(known: Iterable[Rewrite], options: Options) -> list[Rewrite]:
    """The rules to apply, in order: those selected and what they need. Raises RuleNeeded."""
    rules = {rewrite.code: rewrite for rewrite in known}
    unknown = (options.select | options.ignore) - set(rules)
    if unknown:
        raise RuleNeeded(f"there is no rule {', '.join(sorted(unknown))}")
    optional = set() if options.recomputes else {RECOMPUTE}
    optional |= set() if options.keeps_batch else {KEEP_BATCH}
    wanted = set(options.select or set(rules) - optional) - options.ignore
    needs = {code: _needs(rules, code) for code in wanted}
    stuck = sorted(code for code in wanted if needs[code] & options.ignore)
    if stuck:
        missing = sorted({needed for code in stuck for needed in needs[code] & options.ignore})
        raise RuleNeeded(_refusal(stuck, missing, bool(options.select)))
    return [rules[code] for code in sorted(wanted.union(*needs.values()))]


def _needs(rules: Mapping[str, Rewrite], code: str) -> set[str]:
    """The codes of what a rule needs, and of what that needs."""
    found: set[str] = set()
    waiting = [code]
    while waiting:
        needed = rules[waiting.pop()].needs - found
        found |= needed
        waiting.extend(needed)
    return found


def _refusal(stuck: Sequence[str], missing: Sequence[str], is_selected: bool) -> str:
    """All that would have to change at once, so that who follows it is not sent back again."""
    need = f"{_listed(stuck, 'and')} need{'' if len(stuck) > 1 else 's'} {_listed(missing, 'or')}"
    them = "them" if len(stuck) > 1 else "it"
    if is_selected:
        return f"{need}: don't select {them}, or don't ignore {_listed(missing, 'and')}"
    if len(stuck) == len(missing) == 1:
        return f"{need}: ignore both or neither"
    return f"{need}: ignore {them} too, or none"


def _listed(codes: Sequence[str], conjunction: str) -> str:
    """`D203`, `D203 and D204`, `D203, D204 and D205`."""
    *first, last = codes
    return f"{', '.join(first)} {conjunction} {last}" if first else last
