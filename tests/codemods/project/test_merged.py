"""One file that two programs change: the changes of both, or none where they meet."""

from __future__ import annotations

import pytest

from distify.codemods.model import Due, Migration, Step
from distify.codemods.project.merged import merged

BASE = "import os\n\n\ndef a():\n    return 1\n\n\ndef b():\n    return 2\n"
KERAS = "import horovod.tensorflow.keras as hvd\n"
TAPE = "import horovod.tensorflow as hvd\n"


def migration(*steps: tuple[str, str], before: str = BASE) -> Migration:
    return Migration(before, "Keras", steps=tuple(Step(c, t, ((1, 0),)) for c, t in steps))


def change(module: str, old: str, new: str, before: str = BASE) -> Migration:
    """A file that imports Horovod and changes one line."""
    text = module + before
    return migration(("D101", text), ("D107", text.replace(old, new)), before=before)


def text(first: Migration, second: Migration) -> str | None:
    found = merged(first, second)
    return found.after if found is not None else None


def test_each_change_is_made_once() -> None:
    first = change(KERAS, "return 1", "return hvd.size()")
    second = change(KERAS, "return 2", "return hvd.rank()")
    found = merged(first, second)
    assert found is not None
    both = BASE.replace("return 1", "return hvd.size()").replace("return 2", "return hvd.rank()")
    assert found.after == KERAS + both
    assert [step.code for step in found.steps] == ["D101", "D107"]
    assert found.steps[0].text == KERAS + BASE
    assert merged(first, first) == first


def test_a_rule_that_only_one_has_stands_in_the_order_of_the_rules() -> None:
    first = change(KERAS, "return 1", "return hvd.size()")
    second = migration(("D103", BASE.replace("return 2", "return 3")))
    found = merged(first, second)
    assert found is not None
    assert [step.code for step in found.steps] == ["D101", "D103", "D107"]
    assert "return 3" in found.steps[1].text
    assert "return 1" in found.steps[1].text


@pytest.mark.parametrize("flip", [False, True])
def test_changes_that_meet_are_none(flip: bool) -> None:
    pair = [change(KERAS, "return 1", f"return hvd.{name}()") for name in ("size", "rank")]
    assert merged(*(pair[::-1] if flip else pair)) is None


def test_what_is_no_program_together_is_none() -> None:
    opens = change("", "return 1", "return (1,")
    closes = change("", "return 2", "return 2)")
    assert merged(opens, closes) is None


@pytest.mark.parametrize(("module", "name"), [(KERAS, "callbacks"), (TAPE, "allreduce")])
def test_one_import_of_horovod_serves_both(module: str, name: str) -> None:
    """That of the one which needs more than any module of Horovod has."""
    other = TAPE if module == KERAS else KERAS
    first = change(module, "return 1", f"return hvd.{name}")
    second = change(other, "return 2", "return hvd.rank()")
    expected = BASE.replace("return 1", f"return hvd.{name}")
    expected = module + expected.replace("return 2", "return hvd.rank()")
    assert text(first, second) == text(second, first) == expected


def test_a_module_that_starts_horovod_has_no_part_that_does() -> None:
    before = BASE + '\n\nif __name__ == "__main__":\n    print(a())\n'
    own = change(KERAS + "\nhvd.init()\n", "return 1", "return hvd.rank()", before)
    part = change(KERAS, "    print(", "    hvd.init()\n    print(", before)
    found = text(own, part)
    assert found is not None
    assert found.count("hvd.init()") == 1
    assert found == text(part, own)
    twice = before.replace("    print(", "    x.init()\n    print(")
    kept = change(KERAS + "\nhvd.init()\n", "return 1", "return hvd.rank()", twice)
    assert "    x.init()\n" in (text(kept, change(KERAS, "return 2", "return 3", twice)) or "")


def test_looks_are_put_together_by_their_places() -> None:
    first = Migration("", "Keras", unmade=(Due("D107", ((6, 0),)), Due("D203", ((9, 0),))))
    second = Migration("", "Keras", unmade=(Due("D101", ((1, 0),)), Due("D107", ((8, 0),))))
    found = merged(first, second)
    assert found is not None
    assert found.changing_rules == (
        Due("D101", ((1, 0),)), Due("D107", ((6, 0), (8, 0))), Due("D203", ((9, 0),))
    )  # fmt: skip


@pytest.mark.parametrize("flip", [False, True])
def test_a_file_that_needs_both_modules_of_horovod_imports_both(flip: bool) -> None:
    first = change(KERAS, "return 1", "return hvd.callbacks, hvd.size()")
    second = change(TAPE, "return 2", "return hvd.DistributedGradientTape, hvd.size()")
    imports = TAPE + "import horovod.tensorflow.keras as hvd_keras\n"
    found = text(second, first) if flip else text(first, second)
    assert found == imports + BASE.replace(
        "return 1", "return hvd_keras.callbacks, hvd.size()"
    ).replace("return 2", "return hvd.DistributedGradientTape, hvd.size()")


def test_a_name_that_is_taken_is_not_taken_again() -> None:
    base = BASE.replace("return 1", "hvd_keras = 1")
    first = change(KERAS, "return 2", "return hvd.callbacks", before=base)
    second = change(TAPE, "import os", "import os\nhvd.allreduce", before=base)
    assert text(first, second) is None
