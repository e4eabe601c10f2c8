"""A program may be laid out in any way that Python takes: it is migrated as ever, or refused."""

from __future__ import annotations

import ast
import os

import pytest
from bench import fuzz
from bench.boundaries import boundaries, laid_out

from distify.codemods.gate import judging
from distify.codemods.migrate import migrate

HEAD = """\
import numpy as np
import tensorflow as tf

x, y = np.load("x.npy"), np.load("y.npy")
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.SGD(0.1), "mse")
"""
FIT = "model.fit(x, y, batch_size=8, epochs=2)\n"
FOUND = {
    "a chained comparison around a print": """\
for epoch in range(9):
    model.fit(x, y)
    if 0 < epoch < 5:
        print(epoch)
""",
    "three links on one line": """\
for epoch in range(9):
    model.fit(x, y)
    if 0 < epoch < 5 == True: print(epoch); model.save('a.keras')
""",
    "in or, elif and else": """\
for epoch in range(9):
    model.fit(x, y)
    if 0 < epoch < 5 or epoch in (7, 8) is True:
        model.save('a.keras')
    elif 3 < epoch <= 6 != 5:
        print(1)
    else:
        print(2)
""",
    "in a while": """\
n = 5
model.fit(x, y, batch_size=8, epochs=2)
while 0 < n < 9: print(n); n += 1
""",
    "in a conditional expression": """\
model.fit(x, y, batch_size=8, epochs=2)
print(1) if 0 < len(x) < 5 else model.save('a.keras')
""",
    "in front of and": """\
model.fit(x, y, batch_size=8, epochs=2)
0 < len(x) < 5 and print(1)
""",
    "in an assertion": """\
model.fit(x, y, batch_size=8, epochs=2)
assert 0 < len(x) < 5, print(1)
""",
    "of the rank": """\
import horovod.tensorflow.keras as hvd
hvd.init()
model.fit(x, y, batch_size=8, epochs=2)
if 0 == hvd.rank() < 3:
    print(1)
if 0 <= hvd.rank() < 1 == 1:
    model.save('a')
""",
    "of the rank, with constants": """\
import horovod.tensorflow.keras as hvd
hvd.init()
model.fit(x, y, batch_size=8, epochs=2)
if hvd.rank() == 0 == 0:
    model.save('a.keras')
if not hvd.rank() != 0 != 1:
    print(2)
""",
    "a fit in exec": """\
for n in range(3):
    exec('model.fit(x, y)')
""",
    "names by exec": """\
for n in range(3):
    exec(f'a{n} = {n}')
model.fit(x, y, batch_size=8, epochs=2)
""",
    "another file by exec": """\
for n in range(3):
    exec(open('a.py').read())
    model.fit(x, y)
    print(n)
""",
    "eval and exec": """\
while True:
    eval('model').fit(x, y)
    exec('break_ = 1')
    if break_: break
""",
    "exec with its names": """\
for n in range(3):
    exec('n = 1', globals(), locals()); print(n); model.fit(x, y)
""",
    "compiled code": """\
code = compile('model.fit(x, y)', 'a', 'exec')
for n in range(3): exec(code)
""",
    "exec in a function": """\
def train():
    for n in range(3):
        exec('z = 1')
        model.fit(x, y)
        print(z)
train()
""",
    "a loss by exec": """\
optimizer = tf.keras.optimizers.SGD(0.1)
for step in range(3):
    with tf.GradientTape() as tape:
        exec('loss = tf.reduce_mean(model(x) - y)')
    g = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(g, model.trainable_variables))
""",
    "a step by exec": """\
optimizer = tf.keras.optimizers.SGD(0.1)
for step in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x) - y)
    g = tape.gradient(loss, model.trainable_variables)
    exec('optimizer.apply_gradients(zip(g, model.trainable_variables))')
""",
    "a semicolon, a backslash, and an optimizer": """\
optimizer = tf.keras.optimizers.RMSprop() ;  \\
 model.compile(optimizer=optimizer, \\
 loss="mae")
history = model.fit(x, y) ;  print(history.history["loss"])
""",
    "the same behind a statement": """\
names = [] ; \\
  optimizer = tf.keras.optimizers.RMSprop(); model.compile(optimizer, "mae")
model.fit(x, y)
""",
    "a comment around what is called": """\
order = (
    np.random.permutation  # shuffled once
)(len(x))[:480]
x, y = x[order], y[order]
model.fit(tf.data.Dataset.from_tensor_slices((x, y)).batch(80), epochs=2)
""",
    "a chain that backslashes join": """\
data = tf.data.Dataset \\
    .from_tensor_slices((x, y)) \\
    .batch(8)
model.fit(data)
""",
}


@pytest.mark.parametrize("name", FOUND)
def test_what_was_found(name: str) -> None:
    verdict = fuzz.judge_program((HEAD + FOUND[name]).encode(), thorough=True)
    assert verdict.wrong == ()
    assert verdict.outcome in ("changed", "blocked", "no training loop")


@pytest.mark.parametrize("name", list(FOUND)[-4:])
def test_it_is_migrated_and_loses_no_comment(name: str) -> None:
    done = migrate(HEAD + FOUND[name])
    assert done.steps
    assert all(each in done.after for each in ("# shuffled once",) if each in done.before)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 400, 50))
def test_layouts_of_all_rules(first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """`make attack` draws other numbers. Rules are tried, whatever the judge says of them."""
    monkeypatch.setattr(judging, "judge", lambda case: [])
    at = first + int(os.environ.get("ATTACK_SEED", "0"))
    verdicts = {n: fuzz.tried(fuzz.LAYOUT, n, fuzz.small()) for n in range(at, at + 50)}
    assert {n: v.wrong for n, v in verdicts.items() if v.wrong} == {}
    assert sum(v.outcome == "changed" for v in verdicts.values()) > 10


def test_a_layout_is_the_same_program() -> None:
    made = {laid_out(n, [HEAD + FIT]) for n in range(40)}
    assert len(made) > 30
    assert {ast.dump(ast.parse(each)) for each in made} == {ast.dump(ast.parse(HEAD + FIT))}


def test_boundaries_are_told_apart() -> None:
    found = boundaries("a = b + c(d)\n")
    assert [each.at for each in found if not each.is_inside] == [2, 4, 6, 8, 9]
    assert [each.at for each in found if each.is_inside] == [10, 11]


def test_a_rate_that_rightly_stayed_stays_the_second_time() -> None:
    fit = "model.fit(x, y, batch_size=len(x), epochs=4)\n"
    done = migrate(HEAD + fit)
    assert "x[shard]" in done.after
    assert "SGD(0.1)" in done.after
    again = migrate(done.after)
    assert again.after == done.after
