"""D106: numbers of steps that a program shows, and schedules of its own that count steps."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

HEAD = """\
import sys
import numpy as np
import tensorflow as tf

x, y = np.ones((800, 4)), np.ones((800, 1))
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
n = 100
{before}model.compile({optimizer}, 'mse')
model.fit(x, y, epochs=3, steps_per_epoch={steps})
"""
SHOWN = "a worker takes only its share of the steps whose number is shown here"
OWN = "this schedule counts steps, of which an epoch has fewer now"


def found(text: str, before: str = "", optimizer: str = "'sgd'", steps: str = "n") -> list[str]:
    """Where D106 tells something: the line as it stands."""
    program = HEAD.format(before=before, optimizer=optimizer, steps=steps) + text
    notes = [each for each in migrate(program).notes if each.code == "D106"]
    assert {each.message.startswith((SHOWN, OWN)) for each in notes} <= {True}
    return [program.splitlines()[each.line - 1] for each in notes]


@pytest.mark.parametrize(
    "line",
    [
        "print(f'{n} steps')",
        "print('%d steps' % n)",
        "print('%d of %s' % (n, model))",
        "print('{} steps'.format(n))",
        "print('{k} steps'.format(k=n))",
        "print('steps:', n)",
        "print(f'{n:04d}', end='')",
        "sys.stdout.write(f'{n} steps')",
    ],
)
def test_a_number_of_steps_that_is_shown(line: str) -> None:
    assert found(f"{line}\n{line}\n") == [line, line]
    assert found(f"{line.replace('n)', 'm)')}\n", steps="100") == []


@pytest.mark.parametrize(
    "text",
    [
        "print(n + 1)\n",
        "print(len(str(n)))\n",
        "print('a'.join(n))\n",
        "total = f'{n} steps'\n",
        "book.note(n)\n",
        "def show(n):\n    print('steps:', n)\n",
        "print('steps:', model.n)\n",
    ],
)
def test_what_shows_no_number_of_steps(text: str) -> None:
    assert found(text) == []


SCHEDULE = """\
class Own(tf.keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, count, k=3):
        self.count = count

    def __call__(self, step):
        return step / self.count


"""
DECAY = "tf.keras.optimizers.schedules.ExponentialDecay(0.1, 100, 0.9)"


@pytest.mark.parametrize("schedule", ["Own(100)", "Own(count=100)", "Own(3, k=4)", "Own(n)"])
def test_a_schedule_of_a_class_of_its_own(schedule: str) -> None:
    optimizer = f"tf.keras.optimizers.SGD({schedule})"
    assert found("", SCHEDULE, optimizer) == []  # it is told the steps of all workers
    (line,) = found("", SCHEDULE.replace("(self, step)", "(self, step, *rest)"), optimizer)
    assert schedule in line


@pytest.mark.parametrize(
    ("optimizer", "before"), [("'sgd'", ""), (f"tf.keras.optimizers.SGD({DECAY})", SCHEDULE)]
)
def test_another_schedule(optimizer: str, before: str) -> None:
    assert found("", before, optimizer) == []
