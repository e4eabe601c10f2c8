"""Which code can be left to one worker."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.output.effects import Effects

HEAD = """\
import dataclasses, itertools, json, logging, math, os, own, queue, random, time
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
schedule = tf.keras.optimizers.schedules.ExponentialDecay(0.1, 10, 0.9)
rows = iter([1, 2])
pairs = zip([1], [2])


def shown(value, digits=3):
    text = f"{value:.{digits}f}"
    if digits == 0:
        return text.rstrip(".")
    return text


def counted(value):
    global count
    count = value
    return value


def collected(values):
    found, seen = [], {}
    for value in values:
        found.append(value)
        seen[value] = True
    return found


def handed(values):
    found = values
    found.append(1)
    return found


def kept(value):
    def inner():
        found.append(value)

    found = []
    inner()
    return found


def extended(values):
    values += [1]
    return values


def generated():
    yield 1


def endless(n):
    return endless(n - 1)


@tf.function
def compiled(x):
    return x


waiting, counter = queue.Queue(), own.Counter()


class Box:
    def result(self):
        self.seen = True
        return 1

"""
SKIPPABLE = """
1 + 2 * x
"a" "b"
f"{loss:.3f} {name!r}"
[round(v, 3) for v in losses]
{k: float(v) for k, v in history.items()}
loss.numpy()
history.history["loss"][-1]
"{} {}".format(a, b)
", ".join(names)
len(a), max(b), sorted(c, key=len), str(d)
time.time() - start
math.sqrt(x)
os.path.join(a, "b")
np.mean(losses)
tf.reduce_mean(loss)
tf.math.confusion_matrix(a, b)
model.count_params()
schedule(step)
shown(loss)
collected(losses)
sorted(a, key=lambda v: -v)
print("nested")
open("a.txt", "w")
json.dumps(history)
tf.keras.losses.mse(a, b)
logging.info("a")
record.get("loss")
table.replace({"a": "b"}, inplace=False)
np.clip(a, 0, 1, out=None)
text.partition("a")
layer.get_vocabulary()
[pair for pair in itertools.product(a, [1, 2])]
dataclasses.asdict(settings)
""".strip().splitlines()
EFFECTS = """
next(rows)
(n := 3)
list(rows)
[pair for pair in pairs]
sum(v for v in rows)
list(itertools.product(rows, [1, 2]))
list(itertools.islice(rows, 2))
step(x)
model(x)
model.evaluate(x)
model.fit(x)
model.predict(x)
np.random.rand()
random.random()
tf.random.normal([3])
input()
counted(1)
extended(a)
handed(a)
kept(1)
endless(1)
compiled(x)
generator.send(1)
stack.pop()
queue.get()
waiting.get(1)
counter.count()
Box()
sorted(a, key=counted)
metric.result() + step(x)
lambda: step(x)
f"{step(x)}"
np.random.shuffle(a)
logging.basicConfig()
os.environ.pop("A")
exec("x = 1")
table.replace({"a": "b"}, inplace=True)
table.sort_values("a", inplace=wide)
values.clip(0, 1, out=values)
np.clip(values, 0, 1, out=values)
np.add(a, b, out=a)
np.fill_diagonal(a, 0)
names.sort()
""".strip().splitlines()


def skippable(expression: str, head: str = HEAD) -> bool:
    facts = Facts.of(head + "found = " + expression + "\n")
    statement = facts.module.body[-1]
    assert isinstance(statement, ast.Assign)
    return Effects(facts).skippable(statement.value)


FOR_NOTHING = {
    "values.partition(3)": False,
    "values.round(3)": False,
    "table.clip(0, 1)": False,
    "logger.info(loss)": True,
    "print(values.round(3))": True,
    "print(name.partition(':')[0])": True,
    "found = values.round(3)": True,
    "values.round(3).to_csv('a.csv')": True,
}


@pytest.mark.parametrize(("statement", "is_skippable"), FOR_NOTHING.items())
def test_a_method_whose_value_is_not_used_changes_something(
    statement: str, is_skippable: bool
) -> None:
    facts = Facts.of(HEAD + statement + "\n")
    assert Effects(facts).statement(facts.module.body[-1]) is is_skippable


@pytest.mark.parametrize("expression", SKIPPABLE)
def test_this_only_computes_or_writes(expression: str) -> None:
    assert skippable(
        expression, HEAD.replace("class Box", "class Other").replace("def result", "def other")
    )


@pytest.mark.parametrize("expression", EFFECTS)
def test_this_may_have_an_effect(expression: str) -> None:
    assert not skippable(expression)


def test_a_method_of_the_module_decides_what_its_name_means() -> None:
    assert not skippable("metric.result()")
    assert skippable("metric.result()", HEAD.replace("self.seen = True", "pass"))


def statement(code: str) -> bool:
    facts = Facts.of(HEAD + code)
    return Effects(facts).statement(facts.module.body[-1])


@pytest.mark.parametrize(
    "code",
    [
        "x = len(a)\n",
        "for a in b:\n    if a:\n        break\n    print(a)\nelse:\n    pass\n",
        "with open('a', 'w') as f:\n    f.write('b')\n",
    ],
)
def test_statements_that_can_be_left_out(code: str) -> None:
    assert statement(code)


@pytest.mark.parametrize(
    "code",
    [
        "self.x = 1\n",
        "a[0] = 1\n",
        "for a in b:\n    step(a)\n",
        "for a in rows:\n    print(a)\n",
        "for a in b:\n    print(a)\nelse:\n    step(a)\n",
        "while a:\n    print(a)\n",
        "with open('a') as f:\n    print(f)\n",
        "with lock:\n    print(a)\n",
        "def f():\n    pass\n",
        "import a\n",
        "raise a\n",
        "del a\n",
        "try:\n    print(1)\nexcept ValueError:\n    pass\n",
    ],
)
def test_statements_that_every_worker_needs(code: str) -> None:
    assert not statement(code)


@pytest.mark.parametrize(("last", "wanted"), [("    b = 1\n", True), ("    unknown()\n", False)])
def test_branches_are_followed_however_many_there_are(last: str, wanted: bool) -> None:
    """Each `elif` stands in the one before: of 300, Python's stack would not hold the calls."""
    more = "".join(f"elif a == {n}:\n    b = {n}\n" for n in range(300))
    facts = Facts.of(f"if a:\n    b = 0\n{more}else:\n{last}")
    assert Effects(facts).statement(facts.module.body[0]) is wanted


@pytest.mark.parametrize(("last", "wanted"), [("1", True), ("unknown()", False), ("f0(a)", False)])
def test_functions_are_followed_however_many_there_are(last: str, wanted: bool) -> None:
    """1,000 that call each other are too many for Python's stack, and a circle proves nothing."""
    each = [f"def f{n}(a):\n    return f{n + 1}(a)\n" for n in range(1_000)]
    facts = Facts.of("".join(each) + f"def f1000(a):\n    return {last}\nf0(2)\n")
    assert Effects(facts).statement(facts.module.body[-1]) is wanted
