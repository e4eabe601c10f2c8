"""What sessions of TensorFlow 1 run, and which of these runs take a step."""

from __future__ import annotations

import ast
import math

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.training.session_runs import session_runs, training_runs
from distify.codemods.migrate import migrate

# -- session runs --------------------------------------------------------------------------------
# Which runs of a session take a training step, and how many rounds of a loop workers share.

HEAD = """\
import numpy as np
from tensorflow.examples.tutorials.mnist import input_data
import tensorflow.compat.v1 as tf

data = np.random.RandomState(0).rand(100, 3)
x = tf.placeholder(tf.float32, [None, 3])
weights = tf.get_variable("weights", [3, 1])
loss = tf.reduce_mean((x @ weights) ** 2)
train = tf.train.AdamOptimizer(0.01).minimize(loss)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
"""


@pytest.mark.parametrize(
    ("run", "trains"),
    [
        ("sess.run(loss)", False),
        ("sess.run([loss, x])", False),
        ("loss.eval()", False),
        ("sess.run(train)", True),
        ("sess.run(fetches=[loss, train])", True),
        ("sess.run({'step': train})", True),
        ("sess.run(tf.group(train, loss))", True),
        ("train.run()", True),
        ("train.run({x: data})", True),
        ("train.run(session=sess)", True),
    ],
)
def test_a_run_trains_if_it_fetches_a_step(run: str, trains: bool) -> None:
    facts = Facts.of(HEAD + run + "\n")
    assert [ast.unparse(found.call) for found in session_runs(facts)][-1] == run
    assert (run in map(ast.unparse, training_runs(facts))) is trains


def test_other_methods_of_that_name_are_no_runs() -> None:
    text = HEAD + "import subprocess\nsubprocess.run(train)\nserver.run('localhost')\n"
    assert len(session_runs(Facts.of(text))) == 1


@pytest.mark.parametrize(
    ("loop", "expected"),
    [
        # data of all: every worker takes the same steps
        ("for i in range(90):\n    sess.run(train, {x: data})\n", "range(90)"),
        (
            "for i in range(90):\n    chosen = np.random.permutation(100)[:8]\n"
            "    sess.run(train, {x: data[chosen]})\n",
            "range(90)",
        ),
        (
            "np.random.seed(0)\nfor i in range(90):\n    chosen = np.random.randint(0, 100, 8)\n"
            "    sess.run(train, {x: data[chosen]})\n",
            "range(90)",
        ),
        # of whose numbers, or of what kind, nobody knows
        (
            "import pylib\nfor i in range(90):\n    sess.run(train, {x: pylib.next_batch(8)})\n",
            "range(90)",
        ),
        (
            "np.random.seed(0)\nmnist = input_data.read_data_sets('d')\n"
            "for i in range(90):\n    sess.run(train, {x: mnist.train.next_batch(8)[0]})\n",
            "range(90)",
        ),
        # each worker picks or invents examples of its own
        (
            "mnist = input_data.read_data_sets('d')\n"
            "for i in range(90):\n    sess.run(train, {x: mnist.train.next_batch(8)[0]})\n",
            "range(max(1, 90 // hvd.size()))",
        ),
        (
            "mnist = input_data.read_data_sets('d')\nsteps = 500\n"
            "for i in range(1, steps + 1):\n    sess.run(train, {x: mnist.train.next_batch(8)[0]})\n",
            "range(1, max(1, steps // hvd.size()) + 1)",
        ),
        (
            "for i in range(1, 61):\n    sess.run(train, {x: np.random.rand(8, 3)})\n",
            "range(1, max(1, 60 // hvd.size()) + 1)",
        ),
        (
            "max = 3\nfor i in range(1, 61):\n    sess.run(train, {x: np.random.rand(8, 3)})\n",
            "range(1, (60 // hvd.size() or 1) + 1)",
        ),
        (
            "for i in range(0, 5000):\n    sess.run(train, {x: np.random.rand(8, 3)})\n",
            "range(0, 5000 // hvd.size())",
        ),
        # it goes on from elsewhere, or counts otherwise
        (
            "for i in range(9, 90):\n    sess.run(train, {x: np.random.rand(8, 3)})\n",
            "range(9, 90)",
        ),
        (
            "for i in range(0, 90, 2):\n    sess.run(train, {x: np.random.rand(8, 3)})\n",
            "range(0, 90, 2)",
        ),
        (
            "draws = np.random.default_rng()\nfor i in range(90):\n"
            "    sess.run(train, {x: data[draws.integers(0, 100, 8)]})\n",
            "range(max(1, 90 // hvd.size()))",
        ),
        (
            "for i in range(90):\n    chosen = np.random.randint(0, 100, 8)\n"
            "    sess.run(train, {x: data[chosen]})\n",
            "range(max(1, 90 // hvd.size()))",
        ),
        (
            "for i in range(5000):\n    sess.run(train, {x: np.random.rand(8, 3)})\n",
            "range(5000 // hvd.size())",
        ),
        (
            "step = 1\nwhile step * 8 < 5000:\n    sess.run(train, {x: np.random.rand(8, 3)})\n"
            "    step += 1\n",
            "step * 8 < 5000 // hvd.size()",
        ),
        (
            "step = sess.run(loss)\nwhile 2 < 5000:\n    sess.run(train, {x: np.random.rand(8, 3)})\n"
            "    step += 1\n",
            "while 2 < 5000:",
        ),
    ],
)
def test_rounds_are_shared_where_each_worker_draws_its_own(loop: str, expected: str) -> None:
    found = migrate(HEAD + loop)
    assert found.blocked == ()
    assert expected in found.after


@pytest.mark.parametrize(
    ("rate", "scaled"),
    [
        ("0.01", "0.01 * hvd.size()"),
        ("0.1 / 2 + 1", "(0.1 / 2 + 1) * hvd.size()"),
        ("rate", "rate * hvd.size()"),  # a tensor, which a placeholder, variable or decay gives
        (
            "tf.train.polynomial_decay(0.1, 0, 9)",
            "tf.train.polynomial_decay(0.1 * hvd.size(), 0, 9, "
            "end_learning_rate=0.0001 * hvd.size())",
        ),
    ],
)
def test_a_rate_is_scaled_where_the_optimizer_takes_it(rate: str, scaled: str) -> None:
    head = HEAD.replace("x = tf", "rate = tf.placeholder(tf.float32)\nx = tf")
    after = migrate(head.replace("0.01", rate) + "sess.run(train, {x: data, rate: 0.1})\n").after
    assert f"AdamOptimizer({scaled})" in after


ACCUMULATED = HEAD.replace(
    "train = tf.train.AdamOptimizer(0.01).minimize(loss)\n",
    """\
optimizer = tf.train.AdamOptimizer(0.01)
gradients = optimizer.compute_gradients(loss, [weights])
sums = [tf.Variable(tf.zeros([3, 1]), trainable=False)]
zero = [s.assign(tf.zeros_like(s)) for s in sums]
add = [s.assign_add(g) for s, (g, _) in zip(sums, gradients)]
train = optimizer.apply_gradients([(s, v) for s, (_, v) in zip(sums, gradients)])
""",
)
ROUND = """\
for step in range(90):
    sess.run(zero)
    for part in range(4):
        start = (step * 4 + part) * 8 % (len(data) - 8)
        sess.run(add, {x: data[start : start + 8]})
    sess.run(train)
"""


def test_gradients_that_are_added_up_are_averaged_and_the_sums_begin_anew() -> None:
    runs = training_runs(Facts.of(ACCUMULATED + ROUND))
    assert [ast.unparse(run.fetches) for run in runs.values()] == ["add", "train"]
    found = migrate(ACCUMULATED + ROUND)
    assert found.blocked == ()
    assert "range(max(1, 90 // hvd.size()))" in found.after
    assert "range(4)" in found.after
    assert "data = data[shard]" in found.after


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "optimizer.compute_gradients(loss, [weights])",
            "[(tf.gradients(loss, weights)[0], weights)]",
        ),
        ("tf.zeros_like(s)", "x[:3, :1]"),
    ],
)
def test_other_sums_between_the_steps_are_refused(old: str, new: str) -> None:
    assert old in ACCUMULATED
    found = migrate(ACCUMULATED.replace(old, new) + ROUND)
    assert any("between the steps" in each.message for each in found.blocked)


SLIM = HEAD.replace(
    "train = tf.train.AdamOptimizer(0.01).minimize(loss)\n",
    """\
import tf_slim as slim
optimizer = tf.train.AdamOptimizer(0.01)
train = slim.learning.create_train_op(loss, optimizer)
""",
)


def test_the_optimizer_that_slim_trains_by_is_wrapped_in_front_of_it() -> None:
    found = migrate(SLIM + "sess.run(train, {x: np.random.rand(8, 3)})\n")
    assert found.blocked == ()
    wrapped = "optimizer = hvd.DistributedOptimizer(optimizer)\n"
    assert found.after.index(wrapped) < found.after.index("create_train_op")
    assert "AdamOptimizer(0.01 * hvd.size())" in found.after


@pytest.mark.parametrize(
    "line",
    [
        "slim.learning.train(train, 'logs', number_of_steps=9)\n",
        "slim.learning.train(train, logdir='logs')\n",
    ],
)
def test_sessions_out_of_sight_are_refused_by_that_reason(line: str) -> None:
    text = SLIM.partition("sess =")[0] + line
    found = migrate(text)
    assert found.after == text
    assert any("makes its session out of sight" in each.message for each in found.blocked)


ADVISED = {
    "slim.learning.train(train, 'logs', number_of_steps=900)\n": (
        "tf.train.MonitoredTrainingSession(checkpoint_dir='logs', "
        "hooks=[tf.train.StopAtStepHook(900)]) as sess:",
        "    while not sess.should_stop():\n        sess.run(train, {x: np.random.rand(8, 3)})\n",
    ),
}


@pytest.mark.parametrize("line", ADVISED)
def test_the_advice_for_sessions_out_of_sight_is_code_that_is_rewritten(line: str) -> None:
    advice, loop = ADVISED[line]
    text = SLIM.partition("sess =")[0]
    told = migrate(text + line).blocked
    assert len(told) == 1
    assert f"`with {advice}`" in told[0].fix
    found = migrate(text + "tf.train.get_or_create_global_step()\nwith " + advice + "\n" + loop)
    assert found.blocked == ()
    assert "hvd.BroadcastGlobalVariablesHook(0)" in found.after


def test_an_optimizer_of_another_module_is_not_given_to_slim() -> None:
    text = SLIM.replace("tf.train.AdamOptimizer(0.01)", "pylib.make()") + "sess.run(train)\n"
    found = migrate("import pylib\n" + text)
    assert any("where this optimizer is made" in each.message for each in found.blocked)


def test_queues_are_refused_as_queues() -> None:
    text = HEAD + "tf.train.start_queue_runners(sess=sess)\nsess.run(train)\n"
    reasons = [each.message for each in migrate(text).blocked]
    assert len(reasons) == 1
    assert "queues may end" in reasons[0]


def test_an_optimizer_with_a_decay_in_its_call_is_wrapped_where_it_stands() -> None:
    decay = "tf.train.exponential_decay(0.1, tf.train.get_global_step(), 500, 0.9)"
    text = HEAD.replace("(0.01)", f"({decay})")
    found = migrate(text + "for i in range(90):\n    sess.run(train, {x: np.random.rand(8, 3)})\n")
    assert found.blocked == ()
    assert "hvd.DistributedOptimizer(tf.train.AdamOptimizer(" in "".join(found.after.split())
    assert "500 // hvd.size()" in found.after


ROUNDS = """\
import argparse
import os
data = np.load("data.npy")
args = argparse.ArgumentParser().parse_args()
args.{stored} = int(open("last.txt").read())
for i in range({count}):
    sess.run(train, {{x: np.random.rand(8, 3)}})
    open("last.txt", "w").write(str(i))
"""


@pytest.mark.parametrize(
    ("count", "stored", "is_refused"),
    [
        ("len(data) // 8", "seed", False),
        ("data.shape[0] // 8", "seed", False),
        ("args.rounds", "seed", False),
        ("args.rounds", "rounds", True),
        ("len(os.listdir('saved'))", "seed", True),
    ],
)
def test_only_what_files_say_of_the_last_run_is_where_a_loop_goes_on(
    count: str, stored: str, is_refused: bool
) -> None:
    """How many examples there are, and an option of the command line, say nothing of it."""
    found = migrate(HEAD + ROUNDS.format(count=count, stored=stored))
    assert any("would go on where" in each.message for each in found.blocked) is is_refused


OBJECTS = """\
import foreign
import numpy as np
import tensorflow.compat.v1 as tf


class Model:
    def __init__(self, config):
        self.config = config
        self.epoch = tf.Variable(0, trainable=False)
        self.x = tf.placeholder(tf.float32, [None, 3])
        self.loss = tf.reduce_mean(tf.layers.dense(self.x, 1))
        self.step = tf.train.AdamOptimizer(0.01).minimize(self.loss)


class Trainer:
    def __init__(self, sess, model, data):
        self.sess, self.model, self.data = sess, model, data
        self.sess.run(tf.global_variables_initializer())
        self.shown = {{}}

    def show(self, values):
        for tag, value in values.items():
            if tag not in self.shown:
                self.shown[tag] = tf.placeholder("float32", value.shape)
            print(self.sess.run(self.shown[tag], {{self.shown[tag]: value}}))

    def train(self):
        losses = []
        for epoch in range(self.model.epoch.eval(self.sess), 9):
            fed = {{self.model.x: self.data[np.random.choice(len(self.data), 8)]}}
            losses.append(self.sess.run([self.model.step, self.model.loss], fed)[1])
        self.show({{"loss": np.mean(losses)}})


model = Model({config})
Trainer(tf.Session(), model, np.load("data.npy")).train()
"""


def test_what_an_object_was_given_makes_no_step_of_what_else_it_holds() -> None:
    """Nor does a number that a step came with, of an operation that is made for it."""
    found = migrate(OBJECTS.format(config='foreign.Config("a.json")'))
    assert found.blocked == ()
    handed = OBJECTS.replace("self.epoch = tf.Variable(0, trainable=False)", "self.epoch = config")
    assert any(each.code == "T06" for each in migrate(handed.format(config="foreign.op()")).blocked)


SHADOWED = """\
import numpy as np
import tensorflow.compat.v1 as tf


class Net:
    def loss(self):
        self.loss = tf.reduce_mean(tf.square(self.out))

    def optimize(self):
        self.step = tf.train.AdamOptimizer(0.1).minimize({})

    def build(self):
        self.x = tf.placeholder(tf.float32, [None, 3])
        self.out = tf.layers.dense(self.x, 1)
        self.loss()
        self.optimize()

    def train(self):
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for _ in range(100):
                sess.run(self.step, {{self.x: np.random.rand(8, 3)}})


net = Net()
net.build()
net.train()
"""


def test_a_loss_that_hides_the_method_that_made_it_is_a_part_of_the_graph() -> None:
    found = migrate(SHADOWED.format("self.loss"))
    assert found.blocked == ()
    assert "hvd.DistributedOptimizer(" in found.after


def test_a_loss_that_is_a_function_is_none() -> None:
    found = migrate(SHADOWED.format("lambda: self.out"))
    assert found.after == SHADOWED.format("lambda: self.out")


@pytest.mark.parametrize(
    ("imported", "number"),
    [
        ("import zipfile", "len(zipfile.ZipFile('a.zip').namelist())"),
        ("import gzip", "len(gzip.open('a.gz').read())"),
        ("import six", "len(list(six.iteritems({})))"),
        ("from matplotlib import pyplot as plt", "len(plt.imread('a.png'))"),
    ],
)
def test_a_size_that_is_read_from_files_hides_no_step(imported: str, number: str) -> None:
    text = f"{imported}\n" + HEAD.replace("[3, 1]", f"[{number}, 1]")
    text += "asked = tf.reduce_sum(tf.layers.dense(x, {}))\n".replace("{}", number)
    found = migrate(text + "sess.run(train)\nprint(sess.run(asked))\n")
    assert not any("takes a training step" in each.message for each in found.blocked)


def test_one_of_a_module_that_nobody_knows_may() -> None:
    text = "import ourlib\n" + HEAD + "sess.run(train)\nprint(sess.run(ourlib.step(x)))\n"
    assert any("takes a training step" in each.message for each in migrate(text).blocked)


@pytest.mark.parametrize(("session", "is_started"), [("first", True), ("second", False)])
def test_an_operation_runs_in_the_session_that_it_is_given(session: str, is_started: bool) -> None:
    text = f"""\
import numpy as np
import tensorflow.compat.v1 as tf

x = tf.placeholder(tf.float32, [None, 4])
loss = tf.reduce_mean(tf.layers.dense(x, 1) ** 2)
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
first = tf.Session()
second = tf.Session()
first.run(tf.global_variables_initializer())
for step in range(10):
    train.run({{x: np.random.rand(4, 4)}}, {session})
"""
    blocked = migrate(text).blocked
    told = any("variables of this session are initialised" in each.message for each in blocked)
    assert told is not is_started


# -- session runs cost ---------------------------------------------------------------------------
# What variables are given is only searched for gradients where a program computes some.

HEAD_OF_SESSION_RUNS_COST = "import tensorflow as tf\n\na = tf.Variable(0.0)\nx0 = tf.ones(3)\n"


def steps(size: int) -> int:
    """The steps for variables of which each is given what all before it are made of."""
    puts = "".join(f"x{i + 1} = tf.exp(x{i})\na.assign(x{i + 1})\n" for i in range(size))
    facts = Facts.of(
        f"{HEAD_OF_SESSION_RUNS_COST}{puts}with tf.Session() as session:\n    session.run(x{size})\n"
    )
    before = facts.program.steps
    assert not training_runs(facts)
    return facts.program.steps - before + 1


def test_a_chain_of_values_is_not_walked_once_for_each() -> None:
    """Whole projects have hundreds of them, each behind most of a program: N04 refused these."""
    assert math.log(steps(400) / steps(200), 2) < 1.1


def steps_in_order(size: int) -> int:
    """The steps for operations each of which runs behind the one before, the first behind a step."""
    text = "import tensorflow as tf\n\nx0 = tf.train.AdamOptimizer(0.1).minimize(f())\n"
    for i in range(size):
        text += f"with tf.control_dependencies([x{i}]):\n    x{i + 1} = tf.identity(1.0)\n"
    facts = Facts.of(f"{text}with tf.Session() as session:\n    session.run(x{size})\n")
    before = facts.program.steps
    assert len(training_runs(facts)) == 1
    return facts.program.steps - before


def test_a_chain_of_orders_is_not_walked_once_for_each() -> None:
    assert math.log(steps_in_order(200) / steps_in_order(100), 2) < 1.1


# -- unseen fetches ------------------------------------------------------------------------------
# What a session fetches: whether it may be a training step that nobody sees.

TEXT = """\
import numpy as np
import tensorflow.compat.v1 as tf
import {module}

x = tf.placeholder(tf.float32, [None, 4])
scale = {made}
loss = tf.reduce_mean(tf.layers.dense(x, 1) ** 2)
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
shown = loss * scale
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(100):
        sess.run(train, {{x: np.random.rand(4, 4)}})
        print(sess.run({fetched}, {{x: np.ones((4, 4))}}))
"""
# Libraries of data and of the system: none of them makes a step.
SEEN = (
    "math os sys time argparse absl collections datetime functools itertools json logging pickle "
    "random re string scipy pandas sklearn cv2 PIL gym bz2 codecs copy csv glob gzip io pathlib "
    "shutil struct tarfile typing urllib urllib2 zipfile operator heapq gensim h5py imageio "
    "matplotlib nltk six skimage tqdm yaml"
)


def is_refused(module: str, made: str, fetched: str = "shown") -> bool:
    found = migrate(TEXT.format(module=module, made=made, fetched=fetched)).blocked
    told = ("whether this run takes a training step", "`optimize_loss` makes its optimizer")
    return any(text in each.message for each in found for text in told)


@pytest.mark.parametrize("module", SEEN.split())
def test_libraries_of_data_make_no_steps(module: str) -> None:
    assert not is_refused(module, f"{module}.value")


@pytest.mark.parametrize("module", ["other", "mathx", "my.os"])
def test_another_module_may(module: str) -> None:
    assert is_refused(module, f"{module}.value")


@pytest.mark.parametrize(
    ("made", "refused"),
    [
        ("tf.get_collection(tf.GraphKeys.LOSSES)", False),
        ("tf.get_collection('shown')", False),
        ("tf.get_collection('train_op')", True),
        ("tf.get_collection('shown', other)", False),
        ("tf.get_collection(other)", True),
        ("tf.get_default_graph().get_tensor_by_name('a:0')", True),
        ("tf.get_default_graph().get_operation_by_name('a')", True),
        ("tf.get_default_graph().get_operations()", True),
        ("tf.get_collection_ref('shown')", False),
        ("tf.contrib.layers.optimize_loss(1.0)", True),
    ],
)
def test_what_a_graph_hands_out_may_be_one(made: str, refused: bool) -> None:
    assert is_refused("math", made) is refused


@pytest.mark.parametrize("name", ["add_to_collection", "add_to_collections"])
def test_a_collection_that_is_given_a_step_holds_one(name: str) -> None:
    text = TEXT.format(module="math", made="1.0", fetched="tf.get_collection('shown')")
    assert not is_refused("math", "1.0", "tf.get_collection('shown')")
    found = migrate(text.replace("shown = loss", f"tf.{name}('shown', train)\nshown = loss"))
    assert any("whether this run takes a training step" in each.message for each in found.blocked)


# -- counters ------------------------------------------------------------------------------------
# Counters that a program keeps in variables of its own: asked for, and put back, alike by all.

PROGRAM = """\
import numpy as np
import tensorflow.compat.v1 as tf

x = tf.placeholder(tf.float32, [None, 4])
loss = tf.reduce_mean(tf.layers.dense(x, 1))
train = tf.train.AdamOptimizer(0.01).minimize(loss)
epoch = tf.Variable({begin})
saver = tf.train.Saver()
with tf.Session() as sess:
    tf.global_variables_initializer().run()
    saver.restore(sess, "model")
    first = {asked}
    for number in range(first, 100):
        sess.run(train, {{x: np.random.rand(8, 4)}})
        {put}
"""
COUNTER = "0, trainable=False"
ALIKE = [
    (COUNTER, "epoch.eval()", "epoch.assign(number).eval()"),
    (COUNTER, "sess.run(epoch)", "sess.run(epoch.assign(number + 1))"),
    (COUNTER, "sess.run(epoch)", "sess.run(tf.assign(epoch, number))"),
]
OWN = [
    (COUNTER, "epoch.eval()", "sess.run(epoch.assign(np.random.randint(9)))"),
    (COUNTER, "epoch.eval()", "sess.run(epoch.assign(number + int(sess.run(loss, {x: [[1]]}))))"),
    ("tf.random_normal([])", "sess.run(loss, {x: [[1]]})", "sess.run(epoch.assign(number))"),
]


@pytest.mark.parametrize(("begin", "asked", "put"), ALIKE)
def test_a_counter_is_the_same_on_all_workers(begin: str, asked: str, put: str) -> None:
    found = migrate(PROGRAM.format(begin=begin, asked=asked, put=put))
    assert found.blocked == ()
    loop = found.after.partition('saver.restore(sess, "model")\n')[2]
    assert loop.startswith("    sess.run(hvd.broadcast_global_variables(0))\n    first = ")


@pytest.mark.parametrize("along", [False, True])
def test_one_that_gets_values_in_the_run_of_a_step_is_not_followed(along: bool) -> None:
    put = "sess.run(rate.assign(0.1 * sess.run(epoch)))"
    text = PROGRAM.format(begin=COUNTER, asked="0", put=put)
    text = text.replace("saver = ", "rate = tf.Variable(0.1, trainable=False)\nsaver = ")
    if along:
        text = text.replace("run(train, ", "run([train, epoch.assign_add(np.random.randint(9))], ")
    found = migrate(text)
    assert any("between the steps" in each.message for each in found.blocked) is along


@pytest.mark.parametrize(("begin", "asked", "put"), OWN)
def test_what_a_worker_puts_there_of_its_own_is_none(begin: str, asked: str, put: str) -> None:
    text = PROGRAM.format(begin=begin, asked=asked, put=put)
    found = migrate(text)
    assert found.after == text
    assert any(each.code in ("T06", "T07") for each in found.blocked)
