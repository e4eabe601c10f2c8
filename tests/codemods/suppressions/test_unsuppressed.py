"""Comments that take findings on oneself, or leave places alone: what they do, and do not do."""

from __future__ import annotations

from pathlib import Path

import pytest

from distify.codemods import rewrites
from distify.codemods.migrate import migrate
from distify.codemods.model import Migration, Options

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
TAPE = """\
import tensorflow as tf

w = tf.Variable(1.0)
opt = tf.keras.optimizers.SGD(0.1)
best = 9.0
for x in tf.data.Dataset.range(8):
    with tf.GradientTape() as tape:
        loss = w * tf.cast(x, tf.float32)
    opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
    if loss < best:
        break
"""
BREAK = 11
PRINTING = TAPE.replace("    if loss < best:\n        break\n", '    print("a")\n    print("b")\n')


def with_comment(text: str, at: str, comment: str) -> str:
    """The text with a comment at the end of the line that holds `at`."""
    (line,) = [each for each in text.split("\n") if at in each]
    return text.replace(line, f"{line}  # distify: {comment}")


def codes(found: Migration) -> list[str]:
    return [finding.code for finding in found.blocked]


def remarks(found: Migration) -> list[str]:
    return [finding.message for finding in found.notes if finding.code == "S01"]


# -- nothing where nothing should be ---------------------------------------------------------------


def test_the_program_is_blocked_by_one_line() -> None:
    found = migrate(TAPE)
    assert [(f.code, f.line) for f in found.blocked] == [("T07", BREAK)]
    assert (found.suppressed, found.steps) == ((), ())


@pytest.mark.parametrize(
    "text",
    [
        TAPE.replace("break", 'break; text = "# distify: ignore[T07] no"'),
        TAPE.replace("        break", '        """\n# distify: ignore[T07] no\n"""\n        break'),
        TAPE.replace("        break", "        f'# distify: ignore[T07]'; break"),
        '"""\n# distify: ignore[T07] no\n"""\n' + TAPE,
        with_comment(TAPE, "best = ", "ignore[T07] no"),  # of another line
        with_comment(TAPE, "if loss", "ignore[T07] no"),  # the head of the block around
        TAPE.replace("        break", "        # distify: ignore[T07] no\n        break"),
        with_comment(TAPE, "break", "ignore[T08] no"),  # another code
        with_comment(TAPE, "break", "ignore[D104, T0] no"),  # the beginning of a code
        with_comment(TAPE, "break", "ignore T07"),
        with_comment(TAPE, "break", "ignore[]"),
        with_comment(TAPE, "break", "ignore"),
        with_comment(TAPE, "break", "(ignore[T07])"),
        TAPE.replace("break", "break  # see `# distify: ignore[T07]`"),
        TAPE.replace("break", "break  # noqa: ignore[T07]"),
    ],
)  # fmt: skip
def test_what_is_no_comment_on_the_line_suppresses_nothing(text: str) -> None:
    found = migrate(text)
    assert codes(found) == ["T07"]
    assert (found.suppressed, found.after) == ((), text)


def test_comments_for_others_are_not_remarked_on() -> None:
    text = TAPE.replace("break", "break  # noqa: E501  # type: ignore[T07]")
    assert remarks(migrate(text)) == []


def test_a_file_that_skips_itself_is_no_mistake() -> None:
    assert remarks(migrate("# distify: skip-file\n" + PRINTING)) == []


def test_a_file_without_training_is_not_judged() -> None:
    found = migrate("import tensorflow as tf\nx = 1  # distify: ignore[T99]\n")
    assert (found.notes, found.skipped) == ((), "no training loop")


# -- findings ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("comment", "reason"),
    [
        ("ignore[T07] all see the same loss", "all see the same loss"),
        ("ignore[T07]: see #12", "see #12"),
        ("ignore[ t07 , R05 ] - mine  # noqa", "mine"),
        ("ignore[T07]", ""),
    ],
)
def test_a_block_is_taken_on_oneself_with_or_without_a_reason(comment: str, reason: str) -> None:
    found = migrate(with_comment(TAPE, "break", comment))
    assert found.steps
    assert not found.blocked
    (taken,) = found.suppressed
    assert (taken.finding.code, taken.finding.line, taken.reason) == ("T07", BREAK, reason)
    assert taken.blocks
    assert taken.line == BREAK


@pytest.mark.parametrize("mark", ["first", "last"])
def test_the_first_and_the_last_line_of_a_statement_speak_for_all_of_it(mark: str) -> None:
    lines = ["    if (", "        loss", "        < best", "    ): break"]
    lines[0 if mark == "first" else -1] += "  # distify: ignore[T07] mine"
    text = TAPE.replace("    if loss < best:\n        break", "\n".join(lines))
    found = migrate(text)
    assert [taken.finding.code for taken in found.suppressed] == ["T07"]
    middle = text.replace("  # distify: ignore[T07] mine", "")
    middle = middle.replace("        loss\n", "        loss  # distify: ignore[T07] mine\n")
    assert codes(migrate(middle)) == ["T07"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_any_line_end_and_a_byte_order_mark(end: str) -> None:
    text = "\ufeff" + with_comment(TAPE, "break", "ignore[T07] mine").replace("\n", end)
    (taken,) = migrate(text).suppressed
    assert taken.line == BREAK


def test_columns_are_those_an_editor_shows() -> None:
    found = migrate("\ufeff# distify: nothing\n" + PRINTING)
    assert [(note.line, note.column) for note in found.notes] == [(1, 0)]


def test_only_what_is_named_is_suppressed() -> None:
    text = with_comment(TAPE, "break", "ignore[T07] mine") + "for y in []:\n    opt = globals()\n"
    text = text.replace("best = 9.0", "best = 9.0\nopt.apply_gradients(unknown())")
    found = migrate(text)
    assert [taken.finding.code for taken in found.suppressed] == ["T07"]
    assert found.blocked
    assert "T07" not in codes(found)
    assert not found.steps


def test_the_result_is_left_alone_by_the_next_run() -> None:
    after = migrate(with_comment(TAPE, "break", "ignore[T07] mine")).after
    again = migrate(after)
    assert (again.after, again.skipped) == (after, "already Horovod")


def test_the_settings_speak_for_a_whole_file() -> None:
    found = migrate(TAPE, Options(suppressed=frozenset({"T07"})))
    (taken,) = found.suppressed
    assert (taken.line, taken.reason) == (0, "per-file-ignores in the settings")
    assert found.steps


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("import tensorflow as tf\ns = tf.distribute.MirroredStrategy()\n" + TAPE, "N01"),
        ("import tensorflow as tf\nest = tf.estimator.Estimator(f)\nest.train(f)\n", "T06"),
    ],
)
def test_what_no_rule_is_made_for_stays_blocked(text: str, code: str) -> None:
    found = migrate(text)
    assert code in codes(found)
    line = next(f.line for f in found.blocked if f.code == code) - 1
    lines = text.split("\n")
    lines[line] += f"  # distify: ignore[{code}] mine"
    found = migrate("\n".join(lines), Options(suppressed=frozenset({code})))
    assert code in codes(found)
    assert remarks(found) == [f"{code} can't be suppressed"]


def test_what_settles_a_file_leaves_the_other_codes_unasked() -> None:
    text = "import tensorflow as tf\nest = tf.estimator.Estimator(f)\nest.train(f)\n"
    found = migrate(with_comment(text, "est.train", "ignore[R05] not asked"))
    assert codes(found) == ["T06"]
    assert remarks(found) == []


def test_where_the_rules_would_write_no_program_the_block_comes_back() -> None:
    text = "def fit(tf, model, x, y):\n    model = tf.keras.Sequential()\n    model.fit(x, y)\n"
    text += "    print(model.evaluate(x, y))\n"
    assert codes(migrate(text)) == ["T01"]
    found = migrate(text, Options(suppressed=frozenset({"T01"})))
    assert codes(found) == ["T01"]
    assert "suppressed in vain" in found.blocked[0].message
    assert (found.after, found.suppressed) == (text, ())


# -- places of rewrites ----------------------------------------------------------------------------


def test_a_printed_line_may_be_left_to_every_worker() -> None:
    text = PRINTING.replace('("a")', '("a")  # distify: ignore[D203] all').replace(
        '("b")', '("b")  # distify: ignore[D203] all'
    )
    found = migrate(text)
    assert not found.blocked
    assert "D203" not in [step.code for step in found.steps]
    assert remarks(found) == []
    assert "rank() == 0" not in found.after
    assert "rank() == 0" in migrate(PRINTING).after


def test_the_other_places_of_the_rule_are_changed() -> None:
    text = PRINTING.replace('print("b")', "pass") + 'print("c")  # distify: ignore[D203] all\n'
    after = migrate(text).after
    assert 'rank() == 0:\n        print("a")' in after
    assert '\nprint("c")  # distify' in after


def test_who_answers_a_finding_of_a_rule_leaves_no_place_alone() -> None:
    text = (EXAMPLES / "keras_callback_registry.py").read_text()
    plain = migrate(text)
    ((line, column, code, *_),) = [note for note in plain.notes if note.code == "D302"]
    places = {place for due in plain.changing_rules for place in due.places if due.code == code}
    assert (line, column) in places
    lines = text.split("\n")
    lines[line - 1] += "  # distify: ignore[D302] they only log"
    found = migrate("\n".join(lines))
    assert [taken.blocks for taken in found.suppressed] == [False]
    assert "D302" not in [note.code for note in found.notes]
    assert [due.code for due in found.changing_rules] == [due.code for due in plain.changing_rules]


def test_layers_that_are_run_again_are_one_change() -> None:
    (rule,) = [rule for rule in rewrites.all() if rule.code == "D501"]
    options = Options(select=frozenset({"D501"}))
    assert migrate(rule.before, options).steps
    text = with_comment(rule.before, "for block in", "ignore[D501] x")
    found = migrate(text, options)
    assert codes(found) == ["P01"]
    assert "its changes belong together" in found.blocked[0].message


def test_half_of_one_change_is_refused() -> None:
    found = migrate(PRINTING.replace('("a")', '("a")  # distify: ignore[D203] all'))
    assert codes(found) == ["P01"]
    assert "one change with line 11" in found.blocked[0].message
    assert not found.steps


@pytest.mark.parametrize(
    ("at", "code", "why"),
    [
        ("SGD(0.1)", "D104", "the one for a single worker"),
        ("for x in", "D107", "every worker trains on all of the data"),
        ("with tf", "D201", "nobody averages"),
    ],
)
@pytest.mark.parametrize("unsound", [False, True])
def test_what_the_result_needs_is_refused(at: str, code: str, why: str, unsound: bool) -> None:
    options = Options(unsound=unsound)
    places = {due.code: due.places for due in migrate(PRINTING, options).changing_rules}
    line = places[code][0][0] - 1
    lines = PRINTING.split("\n")
    lines[line] += f"  # distify: ignore[{code}] mine"
    found = migrate("\n".join(lines), options)
    assert codes(found) == ["P01"]
    assert found.blocked[0].message.startswith(f"{code} can't be left out here: ")
    assert why in found.blocked[0].message
    assert at in lines[line]


def test_what_is_evaluated_before_a_guard_shares_its_fate() -> None:
    lines = ["    print(", "        float(model(x)),  # distify: ignore[D203]", "    )"]
    text = PRINTING.replace('    print("a")\n    print("b")', "\n".join(lines))
    found = migrate(text)
    assert found.after.replace("  # distify: ignore[D203]", "") == (
        migrate(text.replace("  # distify: ignore[D203]", "")).after
    )
    assert remarks(found) == ["D203 is not found here, so nothing is suppressed"]


# -- what does nothing is told -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("comment", "expected", "fix"),
    [
        ("ignore[TO7]", "there is no code TO7, so nothing is suppressed", "did you mean T07"),
        ("ignore[D14]", "there is no code D14, so nothing is suppressed", "did you mean D1"),
        ("ignore[zzzz]", "there is no code ZZZZ, so nothing is suppressed", "a report names"),
        ("ignore[R05] x", "R05 is not found here, so nothing is suppressed", "or move it"),
        ("ignore[D203] x", "D203 is not found here, so nothing is suppressed", "or move it"),
        ("ignore[H03] x", "H03 is told by `distify verify`, which no comment suppresses", ""),
        ("ignore[P01] x", "P01 can't be suppressed", "--unsound"),
        ("ignore T07", "distify doesn't understand this comment", "ignore[CODE] reason"),
        ("ignore[]", "distify doesn't understand this comment", "ignore[CODE] reason"),
        ("race=ment", "distify doesn't understand `race=ment`", "`# distify: race=meant`"),
        ("skipfile", "distify doesn't understand this comment", "skip-file"),
    ],
)
def test_a_comment_in_vain_is_told_with_its_place(comment: str, expected: str, fix: str) -> None:
    text = with_comment(PRINTING, "best = ", comment)
    found = migrate(text)
    (note,) = [finding for finding in found.notes if finding.code == "S01"]
    assert (note.message, note.line, note.column) == (expected, 5, 12)
    assert fix in note.fix
    assert found.steps


def test_a_race_that_is_meant_is_no_question_of_a_migration() -> None:
    assert not [n for n in migrate(with_comment(PRINTING, "best = ", "race=meant")).notes
                if n.code == "S01"]  # fmt: skip


def test_what_was_not_asked_is_not_called_unused() -> None:
    text = with_comment(TAPE, "best = ", "ignore[D303, C01, R05] x")
    assert remarks(migrate(text)) == ["R05 is not found here, so nothing is suppressed"]
    chosen = Options(select=frozenset({"D501"}))
    assert remarks(migrate(text, chosen)) == ["C01 is not found here, so nothing is suppressed"]
