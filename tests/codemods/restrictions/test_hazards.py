"""What goes wrong in Horovod that a person has written, and its twins that are right: H06 to H19."""

from __future__ import annotations

from pathlib import Path

import pytest

from distify.codemods import restrictions
from distify.codemods.migrate import migrate
from distify.codemods.model import BLOCKED, WARNING, Finding

from . import hazards_of_data, hazards_of_setup, hazards_of_training
from .hazards_of_training import APPLY, FIT, GRADS, KERAS, LIST, TAPE
from .test_h05_called_by_some import ALONE, TOGETHER

PARTS = (hazards_of_training, hazards_of_setup, hazards_of_data)


def together(name: str) -> dict[str, dict[str, str]]:
    """The cases of all modules by code; several of them may have some of one code."""
    found: dict[str, dict[str, str]] = {}
    for part in PARTS:
        for code, cases in getattr(part, name).items():
            found.setdefault(code, {}).update(cases)
    return found


TOLD, RIGHT = together("TOLD"), together("RIGHT")
BLOCKING = {case for part in PARTS for case in part.BLOCKING}
RUN_ON_TWO = {name: code for part in PARTS for name, code in part.RUN_ON_TWO.items()}
CASES = [(code, name) for code, cases in TOLD.items() for name in cases]
TWINS = [(code, name) for code, cases in RIGHT.items() for name in cases]
HAZARDS = Path(__file__).resolve().parents[2] / "distributed" / "hazards"


def found(text: str, code: str) -> list[Finding]:
    migration = migrate(text)
    return [f for f in (*migration.blocked, *migration.notes) if f.code == code]


@pytest.mark.parametrize(("code", "name"), CASES)
def test_what_is_told(code: str, name: str) -> None:
    text = TOLD[code][name]
    findings = found(text, code)
    severity = BLOCKED if (code, name) in BLOCKING else WARNING
    assert [finding.severity for finding in findings] == [severity]
    line = text.splitlines()[findings[0].line - 1]
    assert line.endswith("#") or "#" not in text


@pytest.mark.parametrize(("code", "name"), TWINS)
def test_what_is_right(code: str, name: str) -> None:
    assert found(RIGHT[code][name], code) == []


def test_there_are_enough_of_both_for_each_hazard() -> None:
    told = {"H05": ALONE, **TOLD}
    right = {"H05": TOGETHER, **RIGHT}
    codes = {each.code for each in restrictions.all() if each.is_hazard}
    assert {code for code in codes if len(told.get(code, ())) >= 6} == codes
    assert {code for code in codes if len(right.get(code, ())) >= 6} == codes


@pytest.mark.parametrize(("name", "code"), RUN_ON_TWO.items())
def test_what_was_seen_on_two_workers_is_told_before(name: str, code: str) -> None:
    """`tests/distributed` runs each of these programs and its repair."""
    broken, repaired = (
        (HAZARDS / name / f"{p}.py").read_text("utf-8") for p in ("broken", "repaired")
    )
    assert found(broken, code)
    assert not found(repaired, code)


@pytest.mark.parametrize("program", ["tape", "optimizer"])
def test_what_a_function_returns_with_another_value_is_not_wrapped_again(program: str) -> None:
    texts = {
        "tape": TAPE
        + "def watch():\n    with tf.GradientTape() as tape:\n"
        + "        loss = tf.reduce_mean(model(tf.ones((2, 2))))\n"
        + "    return hvd.DistributedGradientTape(tape), loss\n\n\ntape, loss = watch()\n"
        + GRADS
        + APPLY
        + "\n",
        "optimizer": KERAS
        + "def build():\n    opt = tf.keras.optimizers.SGD(0.1 * hvd.size())\n"
        + "    return hvd.DistributedOptimizer(opt), 'mse'\n\n\nopt, name = build()\n"
        + "model.compile(opt, name)\n"
        + LIST
        + FIT,
    }
    migration = migrate(texts[program])
    assert not [f for f in migration.blocked if f.code == "P03"]
    assert migration.after.count("hvd.Distributed") == texts[program].count("hvd.Distributed")
