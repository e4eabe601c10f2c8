"""A value that all workers should have alike is compared where it is made: or all of them fail.

https://horovod.readthedocs.io/en/stable/api.html, `allgather_object`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits import At, Insert, Places, insert
from ..edits.patterns import STATEMENT
from ..facts import Facts, Pattern, training_of
from ..facts.agreement.control import agreement, runs_alike
from ..facts.agreement_domain import Agreement
from ..facts.data.drawn_counts import chosen
from ..facts.ingredients import ingredients
from ..facts.setup.import_places import horovod_place, init_place
from ..program.agreed import LINE
from ..program.node_fields import within
from ..restrictions.k04_chosen_by_chance import lengths
from ..rewrites._imports import line_beside
from ..rewrites._new_code import hvd
from ._decisions import horovod_begins, own_tests
from ._repair import Query, repair

# What may be the same, for all that is known; a draw, a clock or a rank is not.
OPEN = (Agreement.READ, Agreement.UNLESS_RAISED, Agreement.UNSURE)
LOOPS = (ast.For, ast.AsyncFor, ast.While)
PATTERNS = (Pattern.GRADIENT_TAPE, Pattern.KERAS)


def values(facts: Facts) -> Iterator[At]:
    """Behind what makes them, the values by which workers may decide differently."""
    places = dict(made(facts)) if training_of(facts).pattern in PATTERNS else {}
    if not places:
        return
    if not facts.has_horovod:
        yield from begins(facts)
    for statement, names in places.items():
        lines = "".join(f"{line(facts, value)}\n" for value in sorted(names))
        yield At(statement, Insert(after=lines))


def line(facts: Facts, value: str) -> str:
    """The line that compares a name, or all of the array that it holds."""
    return LINE.format(hvd=hvd(facts), value=value, name=value.partition(".")[0])


def begins(facts: Facts) -> Iterator[At]:
    """Horovod's import and its start: that of TensorFlow, as Keras' own can't gather objects."""
    if training_of(facts).pattern is Pattern.GRADIENT_TAPE:
        yield from horovod_begins(facts)
        return
    beside, start = horovod_place(facts), init_place(facts)
    if beside is not None and start is not None:
        imported = line_beside(beside, f"import horovod.tensorflow as {hvd(facts)}\n")
        yield from (At(statement, each) for statement, each in imported.items())
        above = imported.get(start, Insert()).after.count("\n")
        yield At(start, Insert(after=f"\n{hvd(facts)}.init()\n\n", distance=above))


def made(facts: Facts) -> Iterator[tuple[ast.stmt, set[str]]]:
    """The statements that make such values once, in code that all workers reach."""
    found: dict[ast.stmt, set[str]] = {}
    for name, spelled in (*decisions(facts), *choices(facts)):
        statement = binding(facts, name)
        if statement is not None and runs_alike(facts, statement):
            found.setdefault(statement, set()).add(spelled)
    yield from found.items()


def decisions(facts: Facts) -> Iterator[tuple[ast.Name, str]]:
    """The names in tests on the way to a step of which nobody knows whether all have the same."""
    for test in own_tests(facts):
        for name in within(test):
            if isinstance(name, ast.Name) and agreement(facts, name) in OPEN:
                yield name, name.id


def choices(facts: Facts) -> Iterator[tuple[ast.Name, str]]:
    """The names of masks and numbers that say how many examples there are, drawn without a seed.

    What another module has seeded is the same on all workers all the same.
    """
    for data in lengths(facts):
        for place, draw in chosen(facts, data):
            for name in within(place):
                if isinstance(name, ast.Name) and draw in ingredients(facts, name):
                    is_mask = isinstance(place, ast.Subscript) and name in set(within(place.slice))
                    if is_mask and is_numpys(facts, draw):
                        yield name, f"{name.id}.tolist()"
                    elif isinstance(place, ast.Call):
                        yield name, name.id


def is_numpys(facts: Facts, draw: ast.AST) -> bool:
    """Whether NumPy draws, so that what comes of it is an array."""
    name = facts.name(draw.func) if isinstance(draw, ast.Call) else None
    return (name or "").startswith("numpy.random.")


def binding(facts: Facts, name: ast.Name) -> ast.stmt | None:
    """The one assignment of a name, which runs once; None where there are others."""
    bound = facts.names.bindings(name)
    if len(bound) != 1 or bound[0].kind != "assign" or bound[0].value is None:
        return None
    statement = facts.statement(bound[0].node)
    around = facts.parents(statement)
    is_once = not any(isinstance(each, LOOPS) for each in around)
    return statement if is_once and facts.function(name) is facts.function(statement) else None


@repair(
    code="A26",
    name="agree-or-fail",
    title="Compare the value between the workers where it is made: all of them fail if it differs.",
    answers=("T07", "K04"),
    is_automatic=False,
    find=values,
    before="""\
import requests
import tensorflow as tf

w = tf.Variable(1.0)
opt = tf.keras.optimizers.SGD(0.1)
enough = int(requests.get("http://localhost/enough").text)
for step in range(1000):
    with tf.GradientTape() as tape:
        loss = (w - 2.0) ** 2
    opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
    if step >= enough:
        break
""",
    after="""\
import horovod.tensorflow as hvd
import requests
import tensorflow as tf

hvd.init()

w = tf.Variable(1.0)
opt = tf.keras.optimizers.SGD(0.1)
enough = int(requests.get("http://localhost/enough").text)
assert len(set(map(repr, hvd.allgather_object(enough)))) == 1, "workers disagree about enough"
for step in range(1000):
    with tf.GradientTape() as tape:
        loss = (w - 2.0) ** 2
    opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
    if step >= enough:
        break
""",
    noop=(
        # a clock, which no two workers read alike
        "import time\n\nimport tensorflow as tf\n\nw = tf.Variable(1.0)\n"
        "opt = tf.keras.optimizers.SGD(0.1)\nbegun = time.time()\nwhile time.time() < begun + 5:\n"
        "    with tf.GradientTape() as tape:\n        loss = w**2\n"
        "    opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))\n",
    ),
)
def agree_or_fail(at: Places) -> Query:
    """One line behind each value, and the import that it needs."""
    return Query().select(STATEMENT).filter(at.each(Insert)).modify(insert)
