"""Which rules are applied, and what is said of a choice that can't be."""

from __future__ import annotations

import pytest

from distify.codemods import rewrites
from distify.codemods.applying.choice import choose
from distify.codemods.model import KEEP_BATCH, RECOMPUTE, Options, RuleNeeded
from distify.codemods.rewrites import Rewrite


def rule(code: str, *needs: str) -> Rewrite:
    return Rewrite(code, f"rule-{code}", "Does.", "", "", (), frozenset(needs), None, None)  # type: ignore[arg-type]


CHAIN = [rule("D001"), rule("D002", "D001"), rule("D003", "D002")]
FORK = [
    rule("D001"),
    rule("D002", "D001"),
    rule("D003", "D001"),
    rule("D004", "D003"),
    rule("D005"),
]


def chosen(rules: list[Rewrite], select: set[str], ignore: set[str]) -> list[str]:
    options = Options(select=frozenset(select), ignore=frozenset(ignore))
    return [rewrite.code for rewrite in choose(rules, options)]


def test_needed_rules_come_along() -> None:
    assert chosen(CHAIN, {"D003"}, set()) == ["D001", "D002", "D003"]
    assert chosen(CHAIN, {"D002"}, {"D003"}) == ["D001", "D002"]


def test_what_nobody_needs_can_be_left_out() -> None:
    assert chosen(CHAIN, set(), set()) == ["D001", "D002", "D003"]
    assert chosen(CHAIN, set(), {"D003"}) == ["D001", "D002"]
    assert chosen(FORK, set(), {"D001", "D002", "D003", "D004"}) == ["D005"]
    assert chosen(FORK, {"D005"}, {"D001"}) == ["D005"]


@pytest.mark.parametrize(
    ("rules", "select", "ignore", "message"),
    [
        (CHAIN, {"D009"}, set(), "there is no rule D009"),
        (CHAIN, set(), {"D009"}, "there is no rule D009"),
        (CHAIN, set(), {"D002"}, "D003 needs D002: ignore both or neither"),
        (CHAIN, set(), {"D001"}, "D002 and D003 need D001: ignore them too, or none"),
        (CHAIN, set(), {"D001", "D002"}, "D003 needs D001 or D002: ignore it too, or none"),
        (FORK, set(), {"D001"}, "D002, D003 and D004 need D001: ignore them too, or none"),
        (FORK, set(), {"D001", "D003"}, "D002 and D004 need D001 or D003: ignore them too, or none"),
        (CHAIN, {"D003"}, {"D001"}, "D003 needs D001: don't select it, or don't ignore D001"),
        (FORK, {"D002", "D004", "D005"}, {"D001", "D003"},
         "D002 and D004 need D001 or D003: don't select them, or don't ignore D001 and D003"),
    ],
)  # fmt: skip
def test_what_can_t_be_chosen_is_said_at_once(
    rules: list[Rewrite], select: set[str], ignore: set[str], message: str
) -> None:
    with pytest.raises(RuleNeeded) as caught:
        chosen(rules, select, ignore)
    assert str(caught.value) == message


@pytest.mark.parametrize("code", [rewrite.code for rewrite in rewrites.all()])
def test_who_follows_what_is_said_is_not_sent_back(code: str) -> None:
    """The codes before `need` are ignored as well, or are not selected."""
    known = list(rewrites.all())
    try:
        assert code not in chosen(known, set(), {code})
    except RuleNeeded as problem:
        stuck = str(problem).partition(" need")[0].replace(" and ", ", ").split(", ")
        assert chosen(known, set(), {code, *stuck}) == sorted(
            {rewrite.code for rewrite in known} - {code, *stuck, RECOMPUTE, KEEP_BATCH}
        )


def codes_of(options: Options) -> list[str]:
    """Which of all the rules there are apply."""
    return [rewrite.code for rewrite in choose(rewrites.all(), options)]


def test_layers_are_run_again_only_where_that_is_asked_for() -> None:
    assert RECOMPUTE not in codes_of(Options())
    assert RECOMPUTE not in codes_of(Options(select=frozenset({"D101"}), recompute="halves"))
    assert RECOMPUTE not in codes_of(Options(ignore=frozenset({RECOMPUTE}), recompute="halves"))
    assert codes_of(Options(select=frozenset({RECOMPUTE}))) == [RECOMPUTE]
    every = [rewrite.code for rewrite in rewrites.all()]
    assert codes_of(Options(recompute="sqrt", batch="global")) == every


def test_batches_are_kept_only_where_that_is_asked_for() -> None:
    assert KEEP_BATCH not in codes_of(Options())
    assert KEEP_BATCH in codes_of(Options(batch="global"))
    assert "D107" not in codes_of(Options(ignore=frozenset({"D107"})))
    with pytest.raises(RuleNeeded, match="D109 needs D107"):
        codes_of(Options(ignore=frozenset({"D107"}), batch="global"))
