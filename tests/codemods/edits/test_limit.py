"""How long a line may become, and which lines are broken for it."""

from __future__ import annotations

import pytest

from distify.codemods.edits.limit import is_blacks, own_limit
from distify.codemods.migrate import migrate
from distify.codemods.model import Options
from distify.codemods.syntax import parse

HEAD = "import tensorflow as tf\n\n"
MODEL = 'model = tf.keras.Sequential()\nmodel.compile("sgd", "mse")\nmodel.fit(x, y, verbose=0)\n'
SAVE = 'model.save("a_model_of_the_best_epoch.keras", overwrite=True, include_optimizer=False)\n'
LONG = f"# {'-' * 200}\n"


@pytest.mark.parametrize(
    ("longest", "expected"),
    [(0, 79), (1, 79), (95, 95), (202, 100)],
    ids=["nothing", "short lines", "its longest line", "a line that is no style"],
)
def test_the_limit_of_a_file(longest: int, expected: int) -> None:
    assert own_limit(longest) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('print("a", f"{b}", \'"\')\nif c:\n    if d:\n        e()\n', True),
        ("if a:\n    b()\n", True),
        ("print('a')\n", False),
        ("print(rb'a')\n", False),
        ("if a:\n  b()\n", False),
        ("if a:\n\tb()\n", False),
    ],
    ids=["blacks", "no strings", "single quotes", "of bytes", "two spaces", "tabs"],
)
def test_a_file_that_black_may_have_laid_out(text: str, expected: bool) -> None:
    assert is_blacks(parse(text)) is expected


def test_short_lines_of_blacks_may_become_as_long_as_black_s() -> None:
    call = SAVE.strip().replace("_of_the_best_epoch", "_kept_ones")
    assert len(call) < 79 < len(f"    {call}") < 88
    assert saved(HEAD + MODEL + call + "\n") == [f"    {call}"]
    assert saved(HEAD + MODEL + call.replace('"', "'") + "\n")[0] == "    model.save("


def saved(text: str, width: int = 0) -> list[str]:
    """The lines that a migrated program saves its model in."""
    lines = migrate(text, Options(width=width)).after.splitlines()
    return lines[next(n for n, line in enumerate(lines) if "model.save(" in line) :]


def test_a_guarded_line_is_broken_where_the_indentation_makes_it_too_long() -> None:
    call = SAVE.strip()
    broken = ["    model.save(", f"        {call[len('model.save(') : -1]}", "    )"]
    assert saved(HEAD + MODEL + SAVE) == broken
    assert saved(HEAD + MODEL + SAVE, width=91) == [f"    {call}"]


def test_a_line_of_the_author_s_own_that_was_too_long_stays() -> None:
    """Unless it becomes longer than any other line of the file."""
    assert saved(HEAD + LONG + MODEL + SAVE, width=60) == [f"    {SAVE.strip()}"]
    assert saved(HEAD + MODEL + SAVE, width=60)[0] == "    model.save("


def test_a_comment_is_no_reason_to_break_a_line() -> None:
    line = f"model.save('a.keras')  # {'k' * 50}\n"
    assert saved(HEAD + MODEL + line) == [f"    {line.rstrip()}"]


def test_no_line_is_longer_than_the_formatter_is_set_to() -> None:
    text = HEAD + MODEL.replace("verbose=0", "callbacks=[tf.keras.callbacks.CSVLogger('a')]")
    for width in (72, 88, 100):
        lines = migrate(text, Options(width=width)).after.splitlines()
        assert max(map(len, lines)) <= width


def test_a_second_run_changes_nothing_whatever_the_width() -> None:
    for width in (60, 120):
        after = migrate(HEAD + MODEL + SAVE, Options(width=width)).after
        assert migrate(after, Options(width=120)).after == after
