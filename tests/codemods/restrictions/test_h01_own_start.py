"""Loops that go on at the step of a checkpoint, which each worker reads for itself."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

HEAD = """\
import tensorflow as tf

net = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(0.1)
ckpt = tf.train.Checkpoint(step=tf.Variable(0), net=net, opt=opt)
"""
READ = 'ckpt.restore(tf.train.latest_checkpoint("c"))\n'
STEP = """\
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(net(tf.random.normal([4, 2])) ** 2)
    opt.apply_gradients(zip(tape.gradient(loss, net.weights), net.weights))
    ckpt.step.assign_add(1)
"""
OWN = {
    "while": READ + "while int(ckpt.step) < 9:\n",
    "a manager": (
        "manager = tf.train.CheckpointManager(ckpt, 'c', 3)\nmanager.restore_or_initialize()\n"
        "for n in tf.range(ckpt.step, 9):\n"
    ),
}
VARIABLE = "done = tf.Variable(0)\nkept = tf.train.Checkpoint(done=done)\nkept.restore('c')\n"
SHARED = {
    "a variable of a checkpoint, which D205 lets rank 0 tell": (
        VARIABLE + "for n in range(int(done), 9):\n"
    ),
    "a variable of no checkpoint": READ + "done = tf.Variable(0)\nwhile int(done) < 9:\n",
    "one that nothing restores": (
        VARIABLE.replace("kept.restore('c')", "kept.save('c')") + "while int(done) < 9:\n"
    ),
    "a range, which D205 lets rank 0 tell": READ + "for n in range(int(ckpt.step), 9):\n",
    "a name for it": READ + "start = ckpt.step.numpy()\nfor n in range(start, 9):\n",
    "nothing is restored": "for n in range(int(ckpt.step), 9):\n",
    "another loop": READ + "for n in range(int(ckpt.step)):\n    print(n)\nfor n in range(9):\n",
    "a count of its own": READ + "for n in range(9):\n",
    "another thing with steps": READ + "for n in range(int(settings.step), 9):\n",
}


def notes(text: str) -> list[str]:
    """The fixes that are named for starts of loops."""
    migration = migrate(HEAD + text + STEP)
    return [n.fix for n in (*migration.notes, *migration.blocked) if "let rank 0 tell" in n.fix]


@pytest.mark.parametrize("name", OWN)
def test_each_worker_would_start_where_it_thinks(name: str) -> None:
    assert notes(OWN[name]) == [
        "let rank 0 tell the step: `int(hvd.broadcast(ckpt.step, root_rank=0))`"
    ]


@pytest.mark.parametrize("name", SHARED)
def test_a_start_that_all_workers_share_is_not_noted(name: str) -> None:
    assert notes(SHARED[name]) == []


def test_what_rank_zero_tells_is_not_noted() -> None:
    told = READ + "for n in range(int(hvd.broadcast(ckpt.step, root_rank=0)), 9):\n"
    assert not notes("import horovod.tensorflow as hvd\n" + told)


def test_a_variable_that_a_checkpoint_holds_is_its_step_as_well() -> None:
    assert notes(VARIABLE + "while int(done) < 9:\n") == [
        "let rank 0 tell the step: `int(hvd.broadcast(done, root_rank=0))`"
    ]


def test_rank_0_tells_how_far_a_variable_of_a_checkpoint_is() -> None:
    after = migrate(HEAD + VARIABLE + "for n in range(int(done), 9):\n" + STEP).after
    assert "range(int(hvd.broadcast(int(done), root_rank=0)), 9)" in after


DECIDES = (
    READ
    + """\
other = tf.keras.optimizers.SGD(0.1)
for n in range(9):
    if {test}:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(net(tf.random.normal([4, 2])) ** 2)
        other.apply_gradients(zip(tape.gradient(loss, net.weights), net.weights))
"""
)
TOLD = "ckpt.step.assign(hvd.broadcast(ckpt.step, root_rank=0))"


def decisions(text: str) -> list[str]:
    migration = migrate(HEAD + text + STEP)
    assert not migration.blocked
    return [n.fix for n in migration.notes if "decides by the step" in n.message]


@pytest.mark.parametrize("test", ["int(ckpt.step) % 5 == 0", "ckpt.step.numpy() > 5"])
def test_an_optimizer_that_steps_by_a_restored_count_is_named(test: str) -> None:
    found = decisions(DECIDES.format(test=test))
    assert found == [f"behind the restore let rank 0 tell the step: `{TOLD}`"]


@pytest.mark.parametrize(
    "text",
    [
        DECIDES.format(test="n % 5 == 0"),
        DECIDES.format(test="int(ckpt.step) % 5 == 0").replace(READ, ""),
        READ + "for n in range(9):\n    if int(ckpt.step) % 5 == 0:\n        print(n)\n",
    ],
)
def test_what_is_alike_or_decides_nothing_is_not(text: str) -> None:
    assert decisions(text) == []


def test_rank_0_tells_it_as_the_fix_says() -> None:
    text = HEAD + DECIDES.format(test="int(ckpt.step) % 5 == 0") + STEP
    begun = "import horovod.tensorflow as hvd\nhvd.init()\n" + text
    assert decisions_of(begun) == 1
    assert decisions_of(begun.replace(READ, READ + TOLD + "\n")) == 0


def decisions_of(text: str) -> int:
    return len([n for n in migrate(text).notes if "decides by the step" in n.message])
