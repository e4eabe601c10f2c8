"""What holds for every repair there is."""

from __future__ import annotations

import ast
import re
from importlib import import_module, resources
from pathlib import Path

import pytest

from distify.codemods import repairs, restrictions
from distify.codemods.edits import Places
from distify.codemods.facts import Facts
from distify.codemods.judge.obligations import OBLIGATIONS
from distify.codemods.migrate import migrate
from distify.codemods.model import Migration, Options
from distify.codemods.repairs import Repair
from distify.codemods.rewrites import all as rules
from links import Asked, check_links

SCREEN = 100  # lines, besides those of the examples
each_repair = pytest.mark.parametrize("repair", repairs.all(), ids=lambda repair: repair.code)
each_offered = pytest.mark.parametrize(
    "repair", [r for r in repairs.all() if not r.of_notes], ids=lambda repair: repair.code
)
SESSION = """\
import numpy as np
import tensorflow as tf

data = np.ones((64,), "float32")
x = tf.placeholder(tf.float32, [None])
w = tf.Variable(1.0)
train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_mean(x * w - 2.0) ** 2)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(9):
        sess.run(train, {x: data[step : step + 4]})
"""


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    found = Asked()
    found.listen(monkeypatch)
    return found


def repaired(repair: Repair, text: str) -> Migration:
    return migrate(
        text, repair.chosen._replace(repair=frozenset({repair.code})), f"<{repair.code}>"
    )


def first(found: Migration) -> str:
    """The text behind the first step."""
    return found.steps[0].text


@each_offered
def test_the_example_is_blocked_and_offered_the_repair(repair: Repair) -> None:
    found = migrate(repair.rule.before, repair.chosen)
    assert {finding.code for finding in found.blocked} <= repair.answers
    assert repair.code in [offer.code for offer in found.repairs]
    offer = next(each for each in found.repairs if each.code == repair.code)
    assert offer.text == repair.rule.after
    assert offer.answers == found.blocked
    assert not found.steps


@each_offered
def test_findings_and_offers_of_a_text_stand_on_one_analysis(
    repair: Repair, monkeypatch: pytest.MonkeyPatch
) -> None:
    analysed: list[str] = []
    make = Facts.of

    def counted(text: str, options: Options | None = None, path: str = "") -> Facts:
        analysed.append(text)
        return make(text, options, path)

    monkeypatch.setattr(Facts, "of", counted)
    assert migrate(repair.rule.before, repair.chosen).repairs
    assert analysed.count(repair.rule.before) == 1


def test_what_answers_a_note_is_made_where_it_is_asked_for() -> None:
    (repair,) = [each for each in repairs.all() if each.of_notes]
    found = migrate(repair.rule.before)
    assert found.steps
    assert not found.blocked
    assert not found.repairs
    fixes = [note.fix for note in migrate(SESSION).notes if note.code in repair.answers]
    assert any(f"repair {repair.code} " in fix for fix in fixes)


@each_repair
def test_the_example_is_repaired_and_then_migrated(repair: Repair) -> None:
    found = repaired(repair, repair.rule.before)
    assert found.before == repair.rule.before
    assert found.steps[0].code == repair.code
    assert first(found) == repair.rule.after
    assert not found.blocked
    assert [step.code for step in found.steps[1:]]
    assert all(step.places for step in found.steps)


@each_repair
def test_what_it_makes_is_migrated_as_any_text_is(repair: Repair) -> None:
    found = repaired(repair, repair.rule.before)
    again = migrate(repair.rule.after, repair.chosen)
    assert again.after == found.after
    assert [step.text for step in again.steps] == [step.text for step in found.steps[1:]]


@each_repair
def test_nothing_is_repaired_where_nothing_should_be(repair: Repair) -> None:
    assert repair.rule.noop
    for text in (repair.rule.after, *repair.rule.noop):
        found = repaired(repair, text)
        assert repair.code not in [step.code for step in found.steps]
        assert repair.code not in [offer.code for offer in migrate(text, repair.chosen).repairs]


@each_repair
def test_a_second_run_changes_nothing(repair: Repair) -> None:
    once = repaired(repair, repair.rule.before).after
    assert repaired(repair, once).after == once


@each_repair
def test_only_a_look_names_the_same(repair: Repair) -> None:
    chosen = frozenset({repair.code})
    looked = migrate(repair.rule.before, repair.chosen._replace(repair=chosen, only_look=True))
    made = repaired(repair, repair.rule.before)
    assert [each.code for each in looked.changing_rules] == [
        each.code for each in made.changing_rules
    ]
    assert looked.changing_rules == made.changing_rules


@each_repair
def test_whatever_the_line_ends_the_result_is_the_same(repair: Repair) -> None:
    found = repaired(repair, repair.rule.before.replace("\n", "\r\n"))
    assert first(found) == repair.rule.after.replace("\n", "\r\n")


@each_repair
def test_the_indentation_of_the_file_is_kept(repair: Repair) -> None:
    before, after = (
        re.sub(r"^(?: {4})+", lambda f: "\t" * (len(f[0]) // 4), text, flags=re.MULTILINE)
        for text in (repair.rule.before, repair.rule.after)
    )
    assert first(repaired(repair, before)) == after


@each_repair
def test_each_link_of_its_chain_is_asked_for_what_the_example_has(
    repair: Repair, asked: Asked
) -> None:
    check_links(repair.rule)
    asked.answers.clear()
    repaired(repair, repair.rule.before)
    kinds = {link.filters[0].__name__ for link in repair.rule.build(Places([])).transforms}
    assert kinds <= set(asked.answers)


@each_repair
def test_the_page_exists_and_names_what_it_answers(repair: Repair) -> None:
    page = resources.files("distify.codemods.pages").joinpath(f"{repair.code}.md")
    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"# {repair.code} {repair.rule.name}\n")
    assert all(code in text for code in repair.answers)
    assert ("--repair auto" in text) == repair.is_automatic


@each_repair
def test_the_pages_of_what_it_answers_name_it(repair: Repair) -> None:
    for code in repair.answers:
        page = resources.files("distify.codemods.pages").joinpath(f"{code}.md")
        assert f"[{repair.code}]({repair.code}.md)" in page.read_text(encoding="utf-8")


def test_the_page_of_each_restriction_names_its_repairs_or_says_why_there_is_none() -> None:
    answers = {code for repair in repairs.all() for code in repair.answers}
    codes = {restriction.code for restriction in restrictions.all()}
    for code in sorted(code for code in codes if code[0] in "RTKGLN"):
        page = resources.files("distify.codemods.pages").joinpath(f"{code}.md")
        text = page.read_text(encoding="utf-8")
        assert ("**Repair" in text) == (code in answers), code
        assert ("**No repair** is made: " in text) == (code not in answers), code


@each_repair
def test_the_module_is_found_by_its_name_and_fits_one_screen(repair: Repair) -> None:
    file = Path(str(import_module(repair.rule.module).__file__))
    assert file.stem == f"{repair.code.lower()}_{repair.rule.name.replace('-', '_')}"
    examples = (repair.rule.before, repair.rule.after, *repair.rule.noop)
    lines = len(file.read_text(encoding="utf-8").splitlines())
    assert lines - sum(text.count("\n") for text in examples) <= SCREEN
    assert repair.rule.summary.endswith(".")


def test_codes_sort_before_those_of_rules_and_answers_are_restrictions() -> None:
    codes = [repair.code for repair in repairs.all()]
    assert codes == sorted(set(codes))
    assert max(codes) < min(rule.code for rule in rules())
    known = {restriction.code for restriction in restrictions.all()}
    known |= {each.code for each in OBLIGATIONS}
    assert all(repair.answers and repair.answers <= known for repair in repairs.all())


def test_no_repair_imports_another() -> None:
    for file in Path(str(repairs.__file__)).parent.glob("a*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        imported = {n.module or "" for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
        assert not [name for name in imported if re.match(r"a\d", name)]
