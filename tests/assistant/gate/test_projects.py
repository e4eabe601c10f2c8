"""What would lie on disk is judged: files that change for several entries, or for none."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import pytest

from distify.assistant.files import writes
from distify.codemods.judge.case import Case, proved
from distify.codemods.judge.proof import Proof

from ..conftest import Call
from .conftest import Oblige, refuse_words

ENTRY = """\
import tensorflow as tf

from lib.data import {0}
from lib.model import build

if __name__ == "__main__":
    model = build()
    model.fit({0}())
"""
DATA = """\
import tensorflow as tf


def first():
    x = tf.ones((64, 4))
    print("loaded first")
    return tf.data.Dataset.from_tensor_slices((x, x)).batch(8)


def second():
    y = tf.ones((32, 4))
    print("loaded second")
    return tf.data.Dataset.from_tensor_slices((y, y)).batch(4)
"""
MODEL = """\
import tensorflow as tf


def build():
    model = tf.keras.Sequential([tf.keras.layers.Dense(4)])
    model.compile(tf.keras.optimizers.SGD(0.1), "mse")
    return model
"""
EVALUATE = """\
import tensorflow as tf

from lib.data import first

if __name__ == "__main__":
    model = tf.keras.models.load_model("model.h5")
    print(model.evaluate(first()))
"""
FILES = {
    "a.py": ENTRY.format("first"),
    "b.py": ENTRY.format("second"),
    "lib/__init__.py": "",
    "lib/data.py": DATA,
    "lib/model.py": MODEL,
    "pyproject.toml": "",
}
BOTH = ('print("loaded first")', 'print("loaded second")')


@pytest.fixture
def files(here: Path) -> dict[str, str]:
    Path("lib").mkdir()
    for name, text in FILES.items():
        Path(name).write_text(text, encoding="utf-8")
    return dict(FILES)


def changed() -> set[str]:
    return {n for n, text in FILES.items() if Path(n).read_text(encoding="utf-8") != text}


def test_two_programs_share_what_changes(files: object, call: Call, oblige: Oblige) -> None:
    oblige(lambda case: [])
    assert call("migrate", ".").exit_code == 0
    assert changed() == {"a.py", "b.py", "lib/data.py", "lib/model.py"}


def guarded(case: Case, word: str) -> bool:
    """Whether a print is one of a single worker there."""
    text = case.after["lib/data.py"].text if "lib/data.py" in case.after else ""
    return f'rank() == 0:\n        print("loaded {word}")' in text


def not_both(case: Case) -> Iterable[Proof]:
    """Refuses a program in whose data both functions were changed: either alone is right."""
    if guarded(case, "first") and guarded(case, "second"):
        node = case.after["lib/data.py"].module.body[-1]
        yield case.violated("nothing", node, "both were changed")
    else:
        yield proved("nothing", "only one was changed")


@pytest.mark.parametrize("options", [[], ["--check", "--no-cache"], ["--diff"]])
def test_a_file_that_changes_for_two_is_judged_as_it_will_be(
    options: list[str], files: object, call: Call, oblige: Oblige
) -> None:
    oblige(not_both)
    for name in ("a.py", "b.py"):
        told = call("migrate", "--check", "--no-cache", name, "lib").exit_code
        assert told == 1  # it would change
    answer = call("migrate", *options, ".")
    assert answer.exit_code == 1
    assert "both were changed" in answer.output
    assert changed() == set()


def test_what_is_refused_is_taken_out_and_the_rest_is_judged_again(
    files: object, call: Call, oblige: Oblige
) -> None:
    """The one program is wrong however it is written; then the other one's files are right."""

    def prove(case: Case) -> Iterable[Proof]:
        if case.entry == "b.py":
            yield case.violated("nothing", case.after["b.py"].module.body[-1], "never this one")
        yield from not_both(case)

    oblige(prove)
    answer = call("migrate", ".")
    assert answer.exit_code == 1
    assert "never this one" in answer.output
    # `b.py` runs what changes of the model for `a.py`, and can't be changed: nor can that one.
    assert changed() == set()


def test_an_evaluation_that_has_to_start_horovod_is_judged(
    files: object, call: Call, oblige: Oblige
) -> None:
    Path("evaluate.py").write_text(EVALUATE, encoding="utf-8")
    os.unlink("b.py")
    oblige(lambda case: [])
    assert call("migrate", "--check", "--no-cache", ".").exit_code == 1
    assert call("migrate", ".").exit_code == 0
    assert "hvd.init()" in Path("evaluate.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("options", [[], ["--check", "--no-cache"]])
def test_an_evaluation_of_which_nothing_is_proved_keeps_its_entry(
    options: list[str], files: object, call: Call, oblige: Oblige
) -> None:
    Path("evaluate.py").write_text(EVALUATE, encoding="utf-8")
    Path("b.py").write_text("", encoding="utf-8")
    oblige(refuse_words("model.evaluate(", "init()"))
    answer = call("migrate", *options, ".")
    assert answer.exit_code == 1
    assert "`evaluate.py` has to change together with this file" in answer.output
    assert Path("evaluate.py").read_text(encoding="utf-8") == EVALUATE
    assert Path("a.py").read_text(encoding="utf-8") == FILES["a.py"]


def test_a_module_that_can_t_be_written_keeps_what_was_judged_with_it(
    files: object, call: Call, oblige: Oblige, monkeypatch: pytest.MonkeyPatch
) -> None:
    def obstacle(change: writes.Change) -> str | None:
        return "is read-only" if change.path.endswith("data.py") else None

    oblige(lambda case: [])
    monkeypatch.setattr(writes, "obstacle", obstacle)
    answer = call("migrate", ".")
    assert answer.exit_code == 2
    assert "is read-only" in answer.output
    assert changed() == set()


def test_a_module_is_no_program_by_itself(files: object, call: Call, oblige: Oblige) -> None:
    """It is judged as a part of those that import it."""
    seen: set[str] = set()

    def prove(case: Case) -> Iterable[Proof]:
        seen.add(case.entry)
        yield proved("nothing", "it is so")

    oblige(prove)
    assert call("migrate", ".").exit_code == 0
    assert seen == {"a.py", "b.py"}


def test_all_that_is_proved_today_is_proved_of_two_programs_that_share_modules(
    files: object, call: Call
) -> None:
    answer = call("migrate", ".")
    assert answer.exit_code == 0, answer.output
    assert changed() == {"a.py", "b.py", "lib/data.py", "lib/model.py"}
