"""Factories that the settings name: what their calls count as, and what does without the name."""

from __future__ import annotations

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.roles import Role
from distify.codemods.migrate import migrate
from distify.codemods.model import Migration, Options
from distify.codemods.project.migrate import migrate_project
from distify.codemods.project.texts import Project

NAMED = (
    ("pkg.zoo.build_model", "model"),
    ("pkg.zoo.make_optimizer", "optimizer"),
    ("pkg.zoo.load", "dataset"),
)
HEAD = "import tensorflow as tf\nfrom pkg.zoo import build_model, load, make_optimizer\n\n"
KNOWN = {
    "model": "tf.keras.Sequential([tf.keras.layers.Dense(1)])",
    "optimizer": "tf.keras.optimizers.SGD(0.1)",
    "dataset": "tf.data.Dataset.range(64).batch(8)",
}
FIT = """\
model = {model}
model.compile(optimizer={optimizer}, loss="mse")
data = {dataset}
model.fit(data, epochs=3)
"""
NAMED_FIT = FIT.replace("optimizer={optimizer}", "optimizer='sgd'")  # of whom is a text no proof
TAPE = """\
model = {model}
optimizer = {optimizer}
for x in {dataset}:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
"""
CALLS = {"model": "build_model('a')", "optimizer": "make_optimizer(0.1)", "dataset": "load(8)"}


def migrated(form: str, role: str, options: Options) -> Migration:
    return migrate(HEAD + form.format(**{**KNOWN, role: CALLS[role]}), options)


def blocked(seen: Migration) -> set[str]:
    return {finding.code for finding in seen.blocked}


def notes(seen: Migration, code: str) -> list[str]:
    return [finding.message for finding in seen.notes if finding.code == code]


@pytest.mark.parametrize(
    ("form", "role", "code"),
    [(NAMED_FIT, "model", "T01"), (FIT, "optimizer", "R05"), (TAPE, "optimizer", "R05")],
)
def test_what_is_refused_without_the_name_is_migrated_with_it(
    form: str, role: str, code: str
) -> None:
    without = migrated(form, role, Options())
    assert blocked(without) == {code}
    setting = {"model": "models", "optimizer": "optimizers"}[role]
    name = next(name for name, word in NAMED if word == role)
    assert without.blocked[0].fix.endswith(
        f"or name `{name}` among the `{setting}` of [tool.distify]"
    )
    assert not blocked(migrated(form, role, Options(factories=NAMED)))
    others = tuple(each for each in NAMED if each[1] != role)
    assert blocked(migrated(form, role, Options(factories=others))) == {code}


def test_fit_of_such_a_model_is_a_training_of_keras() -> None:
    seen = migrated(FIT, "model", Options(factories=NAMED))
    assert seen.pattern == "Keras"
    assert "SGD(0.1 * hvd.size())" in seen.after
    assert "BroadcastGlobalVariablesCallback(0)" in seen.after


def test_such_a_model_that_is_compiled_out_of_sight_stays_refused() -> None:
    text = HEAD + "model = build_model('a')\nmodel.fit(tf.data.Dataset.range(64).batch(8))\n"
    assert blocked(migrate(text, Options(factories=NAMED))) == {"R05"}


@pytest.mark.parametrize("form", [FIT, TAPE])
def test_such_an_optimizer_averages_and_its_rate_is_said_to_stay(form: str) -> None:
    seen = migrated(form, "optimizer", Options(factories=NAMED))
    assert "make_optimizer(0.1)\n" in seen.after
    average = "DistributedOptimizer(optimizer)" if form is FIT else "DistributedGradientTape(tape)"
    assert average in seen.after
    assert len(notes(seen, "L01")) == 1
    assert "`pkg.zoo.make_optimizer`" in notes(seen, "L01")[0]


def test_where_no_rate_is_scaled_nothing_is_said_of_it() -> None:
    options = Options(factories=NAMED, learning_rate="none")
    assert not notes(migrated(TAPE, "optimizer", options), "L01")


def test_an_old_word_for_a_rate_is_left_to_the_factory() -> None:
    text = HEAD + FIT.format(**{**KNOWN, "optimizer": "make_optimizer(lr=0.1)"})
    seen = migrate(text, Options(factories=NAMED))
    assert "make_optimizer(lr=0.1)\n" in seen.after


@pytest.mark.parametrize("form", [FIT, TAPE])
def test_such_a_dataset_has_no_known_order_and_length(form: str) -> None:
    seen = migrated(form, "dataset", Options(factories=NAMED))
    assert not blocked(seen)
    assert ".shard(" not in seen.after
    assert any("what `pkg.zoo.load` gives can't be told apart" in m for m in notes(seen, "D107"))
    assert any("how much `pkg.zoo.load` gives" in m for m in notes(seen, "K04"))
    assert not any("pkg.zoo.load" in m for m in notes(migrated(form, "dataset", Options()), "K04"))


def test_chance_behind_such_a_dataset_still_refuses() -> None:
    call = "load(8).filter(lambda x: tf.random.uniform([]) > 0.5)"
    text = HEAD + TAPE.format(**{**KNOWN, "dataset": call})
    assert blocked(migrate(text, Options(factories=NAMED))) == {"K04"}


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("from pkg.zoo import build_model\nbuild_model()", Role.MODEL),
        ("from pkg.zoo import build_model as b\nb()", Role.MODEL),
        ("import pkg.zoo\npkg.zoo.build_model()", Role.MODEL),
        ("import pkg.zoo as z\nz.build_model()", Role.MODEL),
        ("from .zoo import build_model\nbuild_model()", Role.MODEL),
        ("from . import zoo\nzoo.build_model()", Role.MODEL),
        ("from pkg import build_model\nbuild_model()", None),
        ("from .other import build_model\nbuild_model()", None),
        ("from zoo import build_model\nbuild_model()", None),
        ("from pkg.zoo import build_model\nbuild_model", None),
        ("def build_model(): ...\nbuild_model()", None),
    ],
)
def test_a_name_is_that_of_the_import(text: str, role: Role | None) -> None:
    facts = Facts.of(text, Options(factories=NAMED), "train.py")
    expr = facts.module.body[-1].value  # type: ignore[attr-defined]
    assert facts.role(expr) is role


ZOO = """\
import tensorflow as tf


class Registry:
    def create(self, name):
        return vars(self)[name]()


REGISTRY = Registry()


def build_model(name):
    return {body}
"""


@pytest.mark.parametrize("path", ["pkg/zoo.py", "src/pkg/zoo.py", "pkg/zoo/__init__.py"])
def test_a_function_of_the_project_goes_by_its_module(path: str) -> None:
    entry = "src/train.py" if path.startswith("src") else "train.py"
    text = HEAD.replace(", load, make_optimizer", "")
    text += FIT.format(**{**KNOWN, "model": "build_model('a')"})
    texts = {entry: text, path: ZOO.format(body="REGISTRY.create(name)")}

    def codes(*named: tuple[str, str]) -> set[str] | None:
        seen = migrate_project(Project(entry, texts), Options(factories=named))
        return None if seen is None else blocked(seen)

    assert codes() == {"T01"}
    assert codes(("pkg.zoo.build_model", "model")) == set()
    assert codes(("pkg.other.build_model", "model")) == {"T01"}


def test_the_file_itself_may_hold_the_function() -> None:
    text = "import importlib\nimport tensorflow as tf\n\n\ndef build_model(name):\n"
    text += "    return importlib.import_module(name).build()\n\n\n"
    text += FIT.format(**{**KNOWN, "model": "build_model('a')"})
    named = Options(factories=(("train.build_model", "model"),))
    assert blocked(migrate(text, named, "src/train.py")) == set()
    assert blocked(migrate(text, named, "src/other.py")) == {"T01"}


def test_what_is_seen_counts_more_than_the_name() -> None:
    text = "import tensorflow as tf\ndef make():\n    return tf.keras.optimizers.SGD(0.1)\nmake()"
    facts = Facts.of(text, Options(factories=(("a.make", "model"),)), "a.py")
    call = facts.module.body[-1].value  # type: ignore[attr-defined]
    assert facts.role(call) is Role.OPTIMIZER
    assert facts.factories.outside(call) is None


@pytest.mark.parametrize("call", ["pickle.load(open('f', 'rb'))", "copy.deepcopy(make)"])
def test_what_gives_anything_is_not_to_be_named(call: str) -> None:
    text = f"import copy, pickle\nimport tensorflow as tf\nmodel = {call}\nmodel.fit([1.0])\n"
    seen = migrate(text)
    assert blocked(seen) == {"T01"}
    assert "tool.distify" not in seen.blocked[0].fix
