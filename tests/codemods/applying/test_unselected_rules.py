"""A choice of rules that makes a file wrong is refused, or said wherever the file is named."""

from __future__ import annotations

import pytest

from distify.codemods import rewrites
from distify.codemods.applying.needs import NEEDS
from distify.codemods.applying.unselected_rules import left_out
from distify.codemods.facts import Facts
from distify.codemods.migrate import migrate
from distify.codemods.model import Migration, Options
from distify.codemods.rewrites import Rewrite

HEAD = "import numpy as np\nimport tensorflow as tf\n\n"
FIT = HEAD + (
    "x, y = np.ones((8, 4)), np.ones((8, 1))\n"
    "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
    'model.compile("sgd", "mse")\n'
    "model.fit(x, y)\n"
)
TAPE = HEAD + (
    "w = tf.Variable(1.0)\n"
    "opt = tf.keras.optimizers.SGD(0.1)\n"
    "for x in tf.data.Dataset.range(8):\n"
    "    with tf.GradientTape() as tape:\n"
    "        loss = w * tf.cast(x, tf.float32)\n"
    "    opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))\n"
)
TASTE = frozenset({"D207", "D208", "D303", "D501"})


def chosen(text: str, select: str = "", ignore: str = "", **options: bool) -> Migration:
    return migrate(text, Options(frozenset(select.split()), frozenset(ignore.split()), **options))  # type: ignore[arg-type]


def missing(migration: Migration) -> list[str]:
    assert all(finding.code == "P01" for finding in migration.blocked)
    return [finding.message.partition(" ")[0] for finding in migration.blocked]


def test_every_rule_says_what_goes_wrong_without_it_and_why() -> None:
    assert list(NEEDS) == [rewrite.code for rewrite in rewrites.all()]
    assert all(need.without and need.reason for need in NEEDS.values())


@pytest.mark.parametrize("rewrite", rewrites.all(), ids=lambda rule: rule.code)
def test_each_rule_is_missed_in_its_own_example(rewrite: Rewrite) -> None:
    facts = Facts.of(rewrite.before, rewrite.options)
    known = rewrites.all()
    found = left_out(facts, known, [rule for rule in known if rule is not rewrite])
    assert [each.code for each in found] == [rewrite.code] * (rewrite.code not in TASTE)


@pytest.mark.parametrize(
    ("text", "select", "ignore", "expected"),
    [
        (FIT, "", "D301", ["D301"]),
        (FIT, "", "D302", ["D302"]),
        (FIT, "", "D107", ["D107"]),
        (FIT, "D101 D102 D104 D107", "", ["D301", "D302"]),
        (FIT, "D302", "", ["D107", "D301"]),
        (TAPE, "", "D201", ["D201"]),
        (TAPE, "", "D202", ["D202"]),
        (TAPE, "D202", "", ["D104", "D107", "D201"]),
        (TAPE, "D104", "", ["D107", "D201", "D202"]),
    ],
)
def test_what_makes_the_result_wrong_is_refused(
    text: str, select: str, ignore: str, expected: list[str]
) -> None:
    found = chosen(text, select, ignore)
    assert missing(found) == expected
    assert not found.steps
    assert found.after == text


@pytest.mark.parametrize(
    ("text", "ignore"),
    [
        (FIT, "D106 D201 D202 D303"),  # nothing in it that these would change
        (TAPE, "D105 D206 D301 D302"),
        (TAPE + 'print("done")\n', "D203 D204 D205"),
        (FIT + "model.summary()\n", "D203 D204 D205"),
        (FIT + "model.evaluate(x, y)\n", "D303"),
        (TAPE.replace("import", "from tqdm import tqdm\nimport", 1).replace("in tf.data.Dataset.range(8)", "in tqdm(tf.data.Dataset.range(8))"),
         "D204"),
    ],
)  # fmt: skip
def test_what_is_not_needed_here_may_be_left_out(text: str, ignore: str) -> None:
    found = chosen(text, ignore=ignore)
    assert found.steps
    assert (found.blocked, found.left_out) == ((), ())


@pytest.mark.parametrize(
    ("lines", "ignore", "expected"),
    [
        ('print("done")\nmodel.save("m.h5")\n', "D203 D204 D205", ["D203"]),
        ('print("done", file=open("log.txt", "w"))\n', "D203 D204 D205", ["D203"]),
        ('with open("log.txt", "w") as log:\n    log.write("done")\n', "D203 D204 D205", ["D203"]),
        ('if len(x) > 3:\n    np.save("x.npy", x)\n', "D203 D204 D205", ["D203"]),
        ('writer = tf.summary.create_file_writer("logs")\n', "D204", ["D204"]),
    ],
)
def test_a_file_that_all_workers_write_is_no_matter_of_taste(
    lines: str, ignore: str, expected: list[str]
) -> None:
    assert missing(chosen(FIT + lines, ignore=ignore)) == expected


def test_all_data_for_everyone_is_right_where_the_settings_say_so() -> None:
    assert missing(chosen(FIT, ignore="D107", shard=False)) == []


def test_a_choice_that_changes_nothing_is_not_refused() -> None:
    plain = FIT.replace("model.fit(x, y)", "model.evaluate(x, y)")
    assert chosen(plain, "D104").blocked == ()


def test_what_is_unsound_is_said_beside_the_result() -> None:
    found = chosen(FIT, ignore="D302", unsound=True)
    assert found.blocked == ()
    assert found.left_out == ("D302",)
    assert [note.code for note in found.notes if note.message.startswith("D302")] == ["P01"]
    assert "hvd.DistributedOptimizer" in found.after
    assert "callbacks" not in found.after


def test_nothing_is_unsound_where_nothing_is_left_out() -> None:
    found = chosen(FIT, unsound=True)
    assert (found.blocked, found.left_out) == ((), ())
    assert not [note for note in found.notes if note.code == "P01"]


def test_who_only_looks_is_told_the_same() -> None:
    looked = chosen(FIT, ignore="D302", only_look=True)
    assert looked.blocked == chosen(FIT, ignore="D302").blocked
    assert chosen(FIT, ignore="D302", only_look=True, unsound=True).left_out == ("D302",)
