"""What code does besides computing, drawing included."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.output.side_effects import Effects
from distify.codemods.migrate import migrate

# -- effects -------------------------------------------------------------------------------------
# Which code can be left to one worker.

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


# -- drawings ------------------------------------------------------------------------------------
# What is drawn for rank 0 alone, and when every worker has to draw.

HEAD_OF_DRAWINGS = """\
import matplotlib.pyplot as plt
import pandas
import seaborn
import tensorflow as tf
from elsewhere import images, use
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
h = model.fit(images, epochs=3)
"""
GUARD = "if hvd.rank() == 0:\n"
# All of it goes under one guard.
ALONE = {
    "beside what is shown": "plt.imshow(images)\nplt.show()\n",
    "before and behind it": "plt.figure()\nplt.plot(h.history['loss'])\nplt.show()\nplt.close()\n",
    "in a loop": "for i in range(4):\n    plt.subplot(2, 2, i + 1)\n    plt.imshow(images)\nplt.savefig('a')\n",
    "with a name that nobody else takes": "figure = plt.figure()\nplt.plot(images)\nplt.show()\n",
    "with a bar of colours": "plt.imshow(images)\nplt.colorbar()\nplt.show()\n",
    "with axes of its own": "a, b = plt.subplots()\nb.plot(images)\nb.set_title('b')\nplt.show()\n",
    "with several axes": "a, b = plt.subplots(1, 2)\nb[0].plot(images)\nb[1].get_xaxis().set_visible(False)\n"
    "a.savefig('a')\nplt.close(a)\n",
    "with the current axes": "plt.imshow(images)\nplt.gca().set_axis_off()\nplt.show()\n",
    "with each of several axes": "a, b = plt.subplots(2)\nfor c in b:\n    c.plot(images)\nplt.show()\n",
    "counted, beside something else": "a, b = plt.subplots(2, 2)\nfor i, (c, d) in enumerate(zip(b.flat, images)):\n"
    "    c.imshow(d)\na.savefig('a')\n",
    "with a part of a figure": "a = plt.figure()\nb = a.add_subplot(111)\nc = b.matshow(images)\na.colorbar(c)\nplt.show()\n",
    "by seaborn": "a, b = plt.subplots()\nseaborn.heatmap(images, ax=b)\nb.set_title('b')\nplt.show()\n",
    "by a table": "pandas.DataFrame(h.history).plot(figsize=(8, 5))\nplt.grid(True)\nplt.show()\n",
    "by a kind of a table's": "a = pandas.DataFrame(h.history)['loss'].plot.line()\na.set_xlabel('b')\nplt.savefig('a')\n",
    "by counts of a table's": "pandas.DataFrame(h.history)['b'].value_counts().plot.bar()\nplt.show()\n",
    "of a list that it fills": "plt.figure()\na = []\nfor b in images:\n    a.append(b)\nplt.plot(a)\nplt.show()\n",
    "with a value of its own": "plt.plot([1, 1], plt.ylim())\nplt.show()\n",
}
# These stay as they are on every worker.
SHARED = {
    "a name that something else takes": ("figure = plt.figure()\nuse(figure)\n", "figure = "),
    "axes that something else takes": ("a, b = plt.subplots()\na.plot(images)\nuse(a)\n", "a.plot"),
    "axes that are kept": ("h.a, b = plt.subplots()\nb.plot(images)\nplt.show()\n", "b.plot"),
    "axes that may be others": ("a = use()\nif h:\n    a = plt.gca()\na.plot(1)\n", "a.plot"),
    "one of several that something else takes": (
        "a, b = plt.subplots(2)\nfor c in b:\n    c.plot(images)\n    use(c)\n",
        "a, b",
    ),
    "a part that something else takes": (
        "a = plt.figure()\nb = a.add_subplot(111)\nb.plot(images)\nuse(b)\nplt.show()\n",
        "b.plot",
    ),
    "a loop over something else": (
        "for c in use():\n    c.plot(images)\nplt.show()\n",
        "for c",
    ),
    "a plot of no table": ("use().plot()\nplt.show()\n", "use()"),
    "axes that are made of themselves": (
        "a = plt.gca()\na = a.twinx()\na.plot(images)\nplt.show()\n",
        "a = a.twinx",
    ),
    "pixels that are read": (
        "a, b = plt.subplots()\nb.plot(1)\nuse(a.canvas.buffer_rgba())\n",
        "b.plot",
    ),
    "a figure of another library": (
        "from elsewhere import a\na.plot(images)\nplt.show()\n",
        "a.plot",
    ),
    "beside what looks for it": ("plt.imshow(images)\nplt.clim(0, 1)\nuse()\n", "plt.imshow"),
    "beside a bar that is used": (
        "plt.imshow(images)\nbar = plt.colorbar()\nuse(bar)\n",
        "plt.imshow",
    ),
    "beside a bar of something computed": (
        "plt.imshow(images)\nplt.colorbar(use())\n",
        "plt.imshow",
    ),
    "beside a count of figures": ("plt.plot(images)\nuse(plt.get_fignums())\n", "plt.plot"),
    "of what changes something": ("plt.plot(use())\n", "use()"),
    "another library": ("from elsewhere import plt\nplt.plot(images)\n", "plt.plot"),
}


def migrated(text: str) -> str:
    """What becomes of the program behind its training."""
    return migrate(HEAD_OF_DRAWINGS + "# drawn\n" + text).after.partition("# drawn\n")[2]


@pytest.mark.parametrize("text", ALONE.values(), ids=ALONE)
def test_neighbours_that_only_draw_go_under_the_guard(text: str) -> None:
    inside = "".join(f"    {line}" for line in text.splitlines(keepends=True))
    assert migrated(text) == GUARD + inside


@pytest.mark.parametrize(("text", "line"), SHARED.values(), ids=SHARED)
def test_what_others_may_look_at_is_drawn_everywhere(text: str, line: str) -> None:
    kept = [each for each in migrated(text).splitlines() if line in each]
    assert kept
    assert not kept[0].startswith(" ")


DRAW = "def draw(h):\n    plt.plot(h.history['loss'])\n    plt.show()\n\n\n"


def test_a_function_that_only_draws_is_left_out_where_it_is_called() -> None:
    after = migrated(DRAW + "draw(h)\nuse()\ndraw(h)\n")
    assert after == DRAW + f"{GUARD}    draw(h)\nuse()\n{GUARD}    draw(h)\n"


@pytest.mark.parametrize(
    "calls",
    [
        "draw(use())\n",
        "x = draw(h)\n",
        "use(draw)\n",
        "def run():\n    return draw(h)\n\n\nrun()\n",
        "",
        "draw(h)\nx = draw(h)\n",
        "draw(h)\nuse(draw)\n",
    ],
    ids=[
        "with what has an effect",
        "for its value",
        "handed on",
        "returned",
        "not called",
        "once for its value",
        "called and handed on",
    ],
)
def test_it_keeps_its_guard_where_a_call_can_t_be_left_out(calls: str) -> None:
    assert GUARD.replace("if", "    if") in migrated(DRAW + calls)


def test_a_function_that_does_more_keeps_its_guard() -> None:
    text = DRAW.replace("    plt.show()", "    use()\n    plt.show()") + "draw(h)\n"
    assert migrated(text).endswith("\n\n\ndraw(h)\n")


def test_a_second_run_adds_no_guard_inside() -> None:
    after = migrate(HEAD_OF_DRAWINGS + DRAW + "draw(h)\n").after
    assert migrate(after).after == after


def test_what_such_a_function_writes_is_waited_for_behind_its_call() -> None:
    text = (
        DRAW.replace("plt.show()", "plt.savefig('a.png')")
        + "draw(h)\nimage = plt.imread('a.png')\n"
    )
    after = migrated(text)
    assert f"{GUARD}    draw(h)\nhvd.broadcast(0, root_rank=0)  # wait" in after
