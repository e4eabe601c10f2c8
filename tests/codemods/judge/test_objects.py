"""Which flag lets a broadcast run once: by the form in which a step gets its objects."""

from __future__ import annotations

import re

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Options
from distify.codemods.project.migrate import migrate_project
from distify.codemods.project.texts import Project
from one_or_several import HEAD, LOOP, PROGRAMS, STEP, TWO

VERSIONS = {"2.10": Options(tensorflow=(2, 10)), "2.15": Options(), "3": Options(keras="3")}
GUARD = re.compile(r"if not (.+):\n +hvd\w*\.broadcast_variables\(")


@pytest.mark.parametrize("version", VERSIONS)
def test_each_object_is_asked_for_by_itself(version: str) -> None:
    found = {}
    for name, (text, _) in PROGRAMS.items():
        if version == "3":
            text = text.replace(".legacy.", ".")
        result = migrate(HEAD + text, VERSIONS[version])
        found[name] = [each.code for each in result.blocked] or GUARD.findall(result.after)
    assert found == {name: [flag] for name, (_, flag) in PROGRAMS.items()}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_second_run_finds_nothing_to_do(name: str) -> None:
    once = migrate(HEAD + PROGRAMS[name][0])
    again = migrate(once.after)
    assert not again.blocked
    assert again.after == once.after


def test_a_flag_under_a_name_is_not_set_back_for_objects_beside_it() -> None:
    step = STEP.partition("    return loss")[0].partition(":\n")[2]
    each = step.replace("model", "net").replace("optimizer", "opt").replace("    ", "        ")
    text = "actor, nets = build(4), [build(8), build(8)]\n"
    text += "actor_opt = tf.keras.optimizers.SGD(0.1)\n"
    text += "opts = [tf.keras.optimizers.SGD(0.1), tf.keras.optimizers.SGD(0.1)]\n\n\n"
    text += "def learn(inputs, targets):\n    for net, opt in zip(nets, opts):\n" + each
    text += step.replace("model", "actor").replace("optimizer", "actor_opt")
    found = migrate(f"{HEAD}{text}\n\n{LOOP}    learn(inputs, targets)\n")
    assert not found.blocked
    assert GUARD.findall(found.after) == ["broadcast_flag(net, opt)", "broadcast_done"]
    assert "assign(False)" not in found.after


def test_what_is_put_back_between_steps_sets_all_flags_back() -> None:
    text = (
        STEP
        + TWO
        + "def restart():\n    for v, w in zip(a.variables, start):\n        v.assign(w)\n\n\n"
    )
    text += "start = [v.numpy() for v in a.variables]\nfor epoch in range(2):\n    for inputs, targets in data:\n"
    text += "        step(a, opt_a, inputs, targets)\n        step(b, opt_b, inputs, targets)\n    restart()\n"
    found = migrate(HEAD + text)
    assert not found.blocked
    assert "for done in broadcast_flags.values():\n" in found.after
    assert "done.assign(False)\n" in found.after


def test_models_are_no_batches_that_could_be_dealt_out() -> None:
    text = f"{STEP}models, optimizer = [build(n) for n in (4, 8)], tf.keras.optimizers.SGD(0.1)\n"
    text += (
        "for epoch in range(2):\n    for model in models:\n        step(model, optimizer, x, y)\n"
    )
    found = migrate(HEAD + text)
    assert [each.code for each in found.blocked] == ["J08"]  # all have the same examples


def test_a_step_in_another_file_has_its_flags_there() -> None:
    head = HEAD.replace("tensorflow as tf\n", "tensorflow as tf\n\nfrom steps import step\n", 1)
    texts = {
        "steps.py": f"import tensorflow as tf\n\n\n{STEP.rstrip()}\n",
        "train.py": head + PROGRAMS["two by their names"][0].replace(STEP, ""),
    }
    found = migrate_project(Project("train.py", texts))
    assert found is not None
    assert not found.blocked
    (steps,) = (other.migration.after for other in found.others)
    assert "import weakref\n" in steps
    assert "if not broadcast_flag(model, optimizer):\n" in steps
    assert "weakref" not in found.after


def test_names_that_the_program_has_are_left_to_it() -> None:
    text = "broadcast_flag = weakref = 1\n" + PROGRAMS["two by their names"][0]
    found = migrate(HEAD + text)
    assert not found.blocked
    assert "import weakref as weakref_1\n" in found.after
    assert "if not broadcast_flag_1(model, optimizer):\n" in found.after


@pytest.mark.parametrize(
    "text",
    [  # what is trained beside a model may be another one each time, and no variable is a key
        STEP.replace("model.trainable_variables", "variables").replace("(model,", "(model, variables,")
        + TWO + LOOP + "    step(a, a.trainable_variables[:2], opt_a, inputs, targets)\n"
        "    step(b, b.trainable_variables[2:], opt_b, inputs, targets)\n",
        # layers of no model that has a name: what else it holds is each worker's own
        "groups = [(layer, tf.keras.optimizers.SGD(0.1)) for layer in build(4).layers]\n" + LOOP
        + "    with tf.GradientTape(persistent=True) as tape:\n"
        "        loss = tf.reduce_mean((groups[1][0](groups[0][0](inputs)) - targets) ** 2)\n"
        "    for layer, optimizer in groups:\n"
        "        gradients = tape.gradient(loss, layer.trainable_variables)\n"
        "        optimizer.apply_gradients(zip(gradients, layer.trainable_variables))\n",
        # a graph that is traced for one object after the other
        "@tf.function\n" + STEP + TWO + LOOP
        + "    step(a, opt_a, inputs, targets)\n    step(b, opt_b, inputs, targets)\n",
    ],
)  # fmt: skip
def test_what_no_flag_can_tell_is_refused(text: str) -> None:
    assert {"J04", "R08"} & {each.code for each in migrate(HEAD + text).blocked}
