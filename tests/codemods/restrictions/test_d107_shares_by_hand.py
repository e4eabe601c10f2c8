"""The advice for data that no rule shares out is code for that very data, and it mends the case."""

from __future__ import annotations

import re

import pytest

from distify.codemods.migrate import migrate

FIT = """\
import tensorflow as tf
from mydata import load

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
{lines}
"""
LOOP = """\
import tensorflow as tf
from mydata import batches

net = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(0.1)
{loop}
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(net(x))
    opt.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
"""
ALL = "trains on all of this"


def remark(text: str) -> tuple[int, str, str]:
    """Line, words and fix of the note on data that every worker keeps all of."""
    (found,) = (n for n in migrate(text).notes if ALL in n.message)
    return found.line, found.message, found.fix


@pytest.mark.parametrize(
    ("lines", "fix"),
    [
        ("model.fit(load)", "train on `load[hvd.rank()::hvd.size()]` if"),
        (
            "model.fit(load()[0])",
            "give it a name, `data = load()[0]`, and train on `data[hvd.rank()",
        ),
        (
            "data = 3\nmodel.fit(load(data))",
            "give it a name, `own_data = load(data)`, and train on",
        ),
        (
            "model.fit(tf.data.Dataset.from_tensors(load()).cache('f'))",
            "shard it by hand: `tf.data.Dataset.from_tensors(load()).cache('f').shard(hvd.size()",
        ),
    ],
)
def test_what_has_no_name_gets_one_first(lines: str, fix: str) -> None:
    assert fix in remark(FIT.format(lines=lines))[2]


def test_a_long_expression_is_no_code_in_a_sentence() -> None:
    given = f"load({', '.join(map(repr, range(40)))})"
    assert (
        "give it a name, `data = …`, and train on"
        in remark(FIT.format(lines=f"model.fit({given})"))[2]
    )


def test_the_data_of_a_loop_is_to_blame_and_its_share_is_code() -> None:
    line, message, fix = remark(LOOP.format(loop="for x in batches('train'):"))
    assert line == 2
    assert message.endswith(
        "because `batches` is of another module, `mydata`; it reaches the loop in line 6"
    )
    head = re.search("`(for .*?:)`", fix)
    assert head is not None
    loop = head[1].replace("itertools", "__import__('itertools')")
    after = migrate(LOOP.format(loop="for x in batches('train'):")).after
    mended = after.replace("for x in batches('train'):", loop)
    assert mended != after
    assert not [n for n in migrate(mended).notes if ALL in n.message]


@pytest.mark.parametrize(
    "loop", ["for _ in range(9):\n    x = batches()", "while True:\n    x = batches()"]
)
def test_a_loop_that_only_counts_is_not(loop: str) -> None:
    line, _, fix = remark(LOOP.format(loop=loop))
    assert line == 10
    assert "islice" not in fix


STARTED = "import horovod.tensorflow as hvd\n\nhvd.init()\n"
TAKEN = {
    "own": "import numpy as np\nown = np.array_split(load, hvd.size())[hvd.rank()]\n",
    "load[hvd.rank()::hvd.size()]": "",
    "load(hvd.rank(), hvd.size())": "",
    "load[part]": "part = slice(hvd.rank(), len(load) // hvd.size() * hvd.size(), hvd.size())\n",
}


@pytest.mark.parametrize("given", TAKEN)
def test_a_share_that_the_program_takes_itself_is_not_all_of_the_data(given: str) -> None:
    text = STARTED + FIT.format(lines=f"{TAKEN[given]}model.fit({given})")
    found = migrate(text)
    assert found.changing_rules
    assert not [each for each in found.notes if each.code == "D107"]


def test_a_loop_over_a_share_of_its_own_is_not_told_either() -> None:
    share = (
        "import itertools\nfor x in itertools.islice(batches('a'), hvd.rank(), None, hvd.size()):"
    )
    found = migrate(STARTED + LOOP.format(loop=share))
    assert found.changing_rules
    assert not [each for each in found.notes if each.code == "D107"]


@pytest.mark.parametrize(
    "lines",
    [
        "print(hvd.rank(), hvd.size())\nmodel.fit(load)",
        "model.fit(load(seed=hvd.rank()))",
        "import numpy as np\nmodel.fit(np.random.default_rng(hvd.rank()).permutation(load))",
    ],
)
def test_an_order_of_its_own_is_no_share(lines: str) -> None:
    text = STARTED + FIT.format(lines=lines)
    assert remark(text)[1].startswith("every worker trains on all of this data")
