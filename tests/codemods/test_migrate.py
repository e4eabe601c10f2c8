"""The engine: which rules run, where, in which order, and what stops them."""

from __future__ import annotations

import ast
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any, Callable

import pytest

from distify.codemods import restrictions, rewrites
from distify.codemods.applying.discovery import modules
from distify.codemods.edits import At, Places, Wrap, patterns
from distify.codemods.edits.argument_edits import add_argument
from distify.codemods.edits.expression_edits import expression, replace_expression, wrap
from distify.codemods.edits.guards import guard as put_under
from distify.codemods.edits.layout import root
from distify.codemods.facts import Facts
from distify.codemods.migrate import migrate
from distify.codemods.model import (
    NOTE,
    RECOMPUTE,
    Finding,
    Migration,
    Options,
    SyntaxProblem,
)
from distify.codemods.rewrites import Query, Rewrite
from distify.codemods.syntax import LN, Capture

Change = Callable[[LN], Any]
TRAINING = """\
import tensorflow as tf

model = tf.keras.Sequential([])
model.fit(1, 2)
print("done")
"""


def rule(
    code: str,
    edit: Change | None = None,
    *,
    called: str = "print",
    needs: tuple[str, ...] = (),
    pattern: str = patterns.CALL,
) -> Rewrite:
    """A rule that edits every call of a name."""

    def find(facts: Facts) -> Iterator[At]:
        for node in ast.walk(facts.module):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                yield from [At(node, Wrap(called))] if name == called else []

    def build(at: Places) -> Query:
        def change(node: LN, capture: Capture, filename: str) -> Any:
            ((made, along),) = capture["edits"]
            assert (made, along) == (Wrap(called), [])
            return edit(node) if edit else None

        return Query().select(pattern).filter(at.each(Wrap)).modify(change)

    return Rewrite(code, f"rule-{code}", "Does.", "", "", (), frozenset(needs), find, build)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Migration]:
    """`migrate` with these rules and no others, and with a gate that stands open."""
    monkeypatch.setattr(restrictions, "findings", lambda facts: ())

    def with_rules(*rules: Rewrite, text: str = TRAINING, **options: Any) -> Migration:
        module = import_module("distify.codemods.rewrites")
        monkeypatch.setattr(module, "all", lambda *_, **__: tuple(rules))
        return migrate(text, Options(**options))

    return with_rules


def refusal(found: Migration) -> tuple[int, str]:
    """Line and words of the one finding that keeps an edit from being made."""
    (finding,) = found.blocked
    assert (finding.code, found.steps, found.after) == ("P04", (), found.before)
    assert "report" in finding.fix
    return finding.line, finding.message


def times(node: LN) -> None:
    wrap(node, "_ * 2")


def guard(node: LN) -> None:
    put_under([node], "model == 0")


def test_every_rule_is_one_step_in_the_order_given(run: Callable[..., Migration]) -> None:
    found = run(rule("D001", times, called="fit"), rule("D002", guard))
    assert [step.code for step in found.steps] == ["D001", "D002"]
    assert [step.places for step in found.steps] == [((4, 0),), ((5, 0),)]
    assert "model.fit(1, 2) * 2\nprint(" in found.steps[0].text
    assert found.after.endswith('model.fit(1, 2) * 2\nif model == 0:\n    print("done")\n')


def test_two_rules_may_have_the_same_place(run: Callable[..., Migration]) -> None:
    found = run(rule("D001", guard), rule("D002", times), rule("D003", times))
    assert found.after.endswith('if model == 0:\n    print("done") * 2 * 2\n')


def test_a_rule_without_places_is_no_step(run: Callable[..., Migration]) -> None:
    found = run(rule("D001", times, called="save"), rule("D002", guard))
    assert [step.code for step in found.steps] == ["D002"]
    assert run(rule("D001", times, called="save")).steps == ()


def test_a_rule_that_changes_nothing_is_no_step(run: Callable[..., Migration]) -> None:
    assert run(rule("D001"), rule("D002", guard)).steps[0].code == "D002"


def test_a_modifier_may_return_a_node(run: Callable[..., Migration]) -> None:
    found = run(rule("D001", lambda node: expression("str()")))
    assert found.after.endswith("model.fit(1, 2)\nstr()\n")


def test_a_place_that_no_pattern_matches_is_refused(run: Callable[..., Migration]) -> None:
    found = run(rule("D001", times, pattern="funcdef"))
    assert refusal(found) == (
        5,
        "what D001 does here can't be written: no pattern of rule-D001 matches this place",
    )


def test_a_place_that_an_earlier_rule_took_away_is_refused(
    run: Callable[..., Migration],
) -> None:
    found = run(rule("D001", lambda node: replace_expression(node, "str()")), rule("D002", guard))
    assert refusal(found)[0] == 5
    assert "D002 does here can't be written: an earlier rule" in refusal(found)[1]


def test_a_result_that_is_no_program_is_refused(run: Callable[..., Migration]) -> None:
    found = run(rule("D001", lambda node: replace_expression(node, "(yield)")))
    assert "D001 does here can't be written: the result is no valid program" in refusal(found)[1]


def test_a_change_elsewhere_is_refused(run: Callable[..., Migration]) -> None:
    def spoil(node: LN) -> None:
        fit = root(node).children[2].children[0]
        add_argument(fit, "x", "1")

    assert refusal(run(rule("D001", spoil)))[0] == 4


def test_an_edit_that_can_not_be_made_is_refused(run: Callable[..., Migration]) -> None:
    def fail(node: LN) -> None:
        raise KeyError("x")

    found = run(rule("D001", times, called="fit"), rule("D002", fail))
    assert refusal(found) == (5, "what D002 does here can't be written: KeyError: 'x'")


def test_a_place_that_has_no_node_is_refused(run: Callable[..., Migration]) -> None:
    text = TRAINING.replace('print("done")', "if model: pass\nelif model: pass")

    def find(facts: Facts) -> Iterator[At]:
        (outer,) = [each for each in facts.module.body if isinstance(each, ast.If)]
        yield At(outer.orelse[0], Wrap("fit"))

    found = run(rule("D001", times)._replace(find=find), text=text)
    assert refusal(found) == (
        6,
        "what D001 does here can't be written: If at 6:0 has no node in the tree",
    )


def test_a_rule_that_stumbles_is_refused_where_the_program_trains(
    run: Callable[..., Migration],
) -> None:
    def find(facts: Facts) -> Iterator[At]:
        raise RecursionError("too deep")

    found = run(rule("D001", times)._replace(find=find))
    assert refusal(found) == (4, "what D001 does here can't be written: RecursionError: too deep")


def test_a_restriction_that_stumbles_is_refused(
    run: Callable[..., Migration], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumble(facts: Facts) -> tuple[Finding, ...]:
        raise RecursionError("too deep")

    monkeypatch.setattr(restrictions, "findings", stumble)
    line, message = refusal(run(rule("D001", times)))
    assert (line, "stumbles over this program (RecursionError: too deep)" in message) == (4, True)


@pytest.mark.parametrize("error", [SyntaxProblem("no"), MemoryError()])
def test_what_is_no_fault_of_a_rule_is_an_error(
    run: Callable[..., Migration], error: Exception
) -> None:
    def find(facts: Facts) -> Iterator[At]:
        raise error

    with pytest.raises(type(error)):
        run(rule("D001", times)._replace(find=find))


def test_a_blocked_text_has_no_steps(
    run: Callable[..., Migration], monkeypatch: pytest.MonkeyPatch
) -> None:
    finding, note = Finding(4, 0, "R99", "no"), Finding(5, 0, "R98", "so", severity=NOTE)
    monkeypatch.setattr(restrictions, "findings", lambda facts: (finding, note))
    found = run(rule("D001", times))
    assert (found.blocked, found.notes, found.steps) == ((finding,), (note,), ())
    assert found.after == found.before


def test_a_note_does_not_block(
    run: Callable[..., Migration], monkeypatch: pytest.MonkeyPatch
) -> None:
    note = Finding(5, 0, "R98", "so", severity=NOTE)
    monkeypatch.setattr(restrictions, "findings", lambda facts: (note,))
    found = run(rule("D001", times))
    assert (found.notes, len(found.steps)) == ((note,), 1)


@pytest.mark.parametrize("text", ["", "x = 1\n", "import numpy\nnumpy.fit(1)\n"])
def test_what_does_not_train_is_skipped(text: str) -> None:
    found = migrate(text)
    assert found.skipped
    assert found.after == text


def test_what_is_horovod_already_is_skipped() -> None:
    compiled = 'model.compile("sgd", "mse")\nmodel.fit(tf.ones((4, 2)), tf.ones(4))'
    found = migrate(migrate(TRAINING.replace("model.fit(1, 2)", compiled)).after)
    assert found.skipped == "already Horovod"
    assert not found.steps


@pytest.mark.parametrize("text", ["x = (\n", "if x:\npass\n", "print 1\n", "x = 1\0\n"])
def test_what_is_no_python_is_named(text: str) -> None:
    with pytest.raises(SyntaxProblem):
        migrate(text)


def test_restrictions_are_ordered_by_code() -> None:
    codes = [restriction.code for restriction in restrictions.all()]
    assert codes == sorted(codes)
    assert codes


def test_bowler_is_imported_only_where_something_is_rewritten() -> None:
    program = (
        "import sys\nfrom distify.codemods.migrate import migrate\nmigrate('x = 1\\n')\n"
        "assert 'bowler' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_a_byte_order_mark_before_a_text_that_trains_nothing() -> None:
    assert migrate("\ufeffimport tensorflow as tf\n").skipped


def test_what_is_loaded_for_recomputation_alone_is_what_restricts_it() -> None:
    modules = {each.check.__module__.rpartition(".")[2]: each.rule for each in restrictions.all()}
    named = {name for name in modules if name.startswith(restrictions.RECOMPUTING)}
    assert named == {name for name, rule in modules.items() if rule == RECOMPUTE}
    assert len(named) > 9


def test_what_is_loaded_where_a_program_has_horovod_is_what_asks_for_it() -> None:
    modules = {each.check.__module__.rpartition(".")[2]: each for each in restrictions.all()}
    named = {name for name in modules if name.startswith(restrictions.HAZARDS)}
    assert named == {name for name, each in modules.items() if each.is_hazard}
    assert len(named) > 9


def test_the_modules_of_a_package_are_listed_as_pkgutil_does() -> None:
    for package in (restrictions, rewrites):
        listed = [found.name for found in pkgutil.iter_modules(package.__path__)]
        assert list(modules(package.__path__)) == [n for n in listed if not n.startswith("_")]
