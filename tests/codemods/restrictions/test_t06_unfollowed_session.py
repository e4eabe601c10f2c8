"""Loops of sessions: which are rewritten, and what of the others is named."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

PROGRAM = """\
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
x = tf.placeholder(tf.float32, [None, 3])
weights = tf.get_variable("weights", [3, 1])
loss = tf.reduce_mean((x @ weights) ** 2)
optimizer = tf.train.AdamOptimizer(0.01)
train = optimizer.minimize(loss)
saver = tf.train.Saver()

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(100):
        sess.run(train, {x: np.random.rand(4, 3)})
"""
TRAIN = "train = optimizer.minimize(loss)\n"
RUN = "        sess.run(train,"
LOOP = "    for step in"
SESSION = "with tf.Session() as sess:\n"
PRODUCER = "files = tf.train.string_input_producer(['a'])\nx = tf.pl"
RATE = (
    "rate = tf.Variable(0.1, trainable=False)\nnew = tf.placeholder(tf.float32, [])\n"
    "put = tf.assign(rate, new)\nx = tf.pl"
)
Edits = tuple[tuple[str, str], ...]


def edited(edits: Edits) -> str:
    text = PROGRAM
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new, 1)
    compile(text, "case", "exec")
    return text


FOLLOWED: dict[str, Edits] = {
    "as it is": (),
    "a graph that the session's `with` enters": (
        ("tf.Session()", "tf.Session(graph=graph)"),
        ("x = tf.pl", "graph = tf.Graph()\nx = tf.pl"),
    ),
    "clipped gradients of the optimizer": (
        (
            TRAIN,
            "pairs = [(tf.clip_by_norm(g, 1.0), v) for g, v in optimizer.compute_gradients(loss)]\n"
            "train = optimizer.apply_gradients(pairs)\n",
        ),
    ),
    "`tf.gradients` that are a part of the loss": (
        (TRAIN, "(slope,) = tf.gradients(loss, x)\ntrain = optimizer.minimize(loss + slope)\n"),
    ),
    "an average that follows the step": (
        (
            TRAIN,
            TRAIN + "average = tf.train.ExponentialMovingAverage(0.9)\n"
            "with tf.control_dependencies([train]):\n    train = average.apply([weights])\n",
        ),
    ),
    "as many rounds as data of a file has": (
        ("x = tf.pl", "rows = np.loadtxt('rows.csv')\nx = tf.pl"),
        (
            LOOP + " range(100):\n",
            "    for epoch in range(3):\n     for step in range(len(rows) - 1):\n",
        ),
    ),
    "queues without end, in a loop that counts": (
        ("x = tf.pl", PRODUCER),
        (
            LOOP,
            "    coord = tf.train.Coordinator()\n"
            "    threads = tf.train.start_queue_runners(sess=sess, coord=coord)\n" + LOOP,
        ),
        ("rand(4, 3)})\n", "rand(4, 3)})\n    coord.request_stop()\n    coord.join(threads)\n"),
    ),
    "a graph that the caller enters": (
        (SESSION, "def go():\n  sess = tf.InteractiveSession()\n  if True:\n"),
        (
            "    sess.run(tf.global_variables_initializer())",
            "    tf.global_variables_initializer().run()",
        ),
        ("rand(4, 3)})\n", "rand(4, 3)})\n\n\nwith tf.Graph().as_default():\n    go()\n"),
    ),
    "gradients that are clipped, and no optimizer's": (
        (
            TRAIN,
            "slopes, _ = tf.clip_by_global_norm(tf.gradients(loss, [weights]), 5.0)\n"
            "train = optimizer.apply_gradients(zip(slopes, [weights]))\n",
        ),
    ),
    "a rate that all workers count alike": (
        ("x = tf.pl", RATE),
        (RUN, "        sess.run(tf.assign(rate, 0.1 * 0.9 ** step))\n" + RUN),
    ),
    "a rate that is fed, and that all workers count alike": (
        ("x = tf.pl", RATE),
        (RUN, "        sess.run(put, feed_dict={new: 0.1 * 0.9 ** step})\n" + RUN),
    ),
    "a collection of the program's own that holds no step": (
        (TRAIN, "tf.add_to_collection('losses', loss)\n" + TRAIN),
        (RUN, "        sess.run(tf.add_n(tf.get_collection('losses')))\n" + RUN),
    ),
    "a copy of the trained variables": (
        (
            TRAIN,
            TRAIN + "target = tf.get_variable('target', [3, 1], trainable=False)\n"
            "copy = target.assign(0.1 * weights + (1 - 0.1) * target)\n",
        ),
        (RUN, "        if step % 10 == 0:\n            sess.run(copy)\n" + RUN),
    ),
    "soft copies of the variables of a collection": (
        (
            TRAIN,
            TRAIN + "with tf.variable_scope('target'):\n"
            "    tf.get_variable('weights', [3, 1], trainable=False)\n"
            "new = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES)\n"
            "old = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope='target')\n"
            "soft = [tf.assign(t, (1 - 0.1) * t + 0.1 * e) for t, e in zip(old, new)]\n\n\n"
            "def replace(sess):\n    sess.run(soft)\n\n\n",
        ),
        (RUN, "        replace(sess)\n" + RUN),
    ),
    "the number of steps that a session counts": (
        (
            TRAIN,
            "count = tf.Variable(0, trainable=False)\ntrain = optimizer.minimize(loss, global_step=count)\n",
        ),
        (RUN, "        if tf.train.global_step(sess, count) > 50:\n            break\n" + RUN),
    ),
    "values from outside before the loop": (
        (LOOP, "    sess.run(weights.assign(np.ones([3, 1])))\n" + LOOP),
    ),
    "`tf.app.run()` of a main function": (
        (SESSION, "def main(_):\n  with tf.Session() as sess:\n"),
        ("    sess.run(tf.gl", "      sess.run(tf.gl"),
        (LOOP, "      for step in"),
        (RUN, "          sess.run(train,"),
        ("rand(4, 3)})\n", "rand(4, 3)})\n\n\ntf.app.run()\n"),
    ),
    "data that functions of a pipeline make": (
        (
            "x = tf.pl",
            "pipeline = tf.data.Dataset.range(9).map(lambda n: n + 1).repeat()\n"
            "batch = pipeline.make_one_shot_iterator().get_next()\nx = tf.pl",
        ),
        (RUN, "        sess.run(batch)\n" + RUN),
    ),
    "a target that is none": (("n() as", "n('') as"),),
    "the first device": (("weights = tf", "with tf.device('/gpu:0'):\n    weights = tf"),),
}
MONITORED: Edits = (
    (SESSION, "with tf.train.MonitoredTrainingSession(hooks=[]) as sess:\n"),
    ("    sess.run(tf.global_variables_initializer())\n", ""),
    (LOOP, "    while not sess.should_stop():  #"),
)
HOOK = "class Own(tf.train.SessionRunHook):\n    def after_run(self, context, values):\n"


def monitored(*edits: tuple[str, str]) -> Edits:
    return (*MONITORED, *edits)


def with_hook(body: str) -> Edits:
    return monitored(
        ("with tf.train", f"{HOOK}        {body}\n\n\nwith tf.train"), ("[])", "[Own()])")
    )


FOLLOWED_MONITORED: dict[str, Edits] = {
    "as it is": monitored(),
    "a chief": monitored(("hooks=[]", "hooks=[], is_chief=True, master=''")),
    "a hook of its own that prints": with_hook("print(values.results)"),
    "a hook of its own that stops at a step": with_hook("context.request_stop()"),
    "a hook of its own that begins with data anew": monitored(
        (
            "with tf.train",
            "batches = tf.data.make_initializable_iterator(tf.data.Dataset.range(9))\n"
            "class Own(tf.train.SessionRunHook):\n    def after_create_session(self, session, c):\n"
            "        session.run(batches.initializer)\n\n\nwith tf.train",
        ),
        ("[])", "[Own()])"),
    ),
    "summaries of gradients in steps alone": monitored(
        (TRAIN, TRAIN + "tf.summary.scalar('g', optimizer.compute_gradients(loss)[0][0])\n")
    ),
}
REFUSED_MONITORED: dict[str, tuple[str, Edits]] = {
    "a chief of several": ("waits for it", monitored(("hooks=[]", "is_chief=x is None"))),
    "a cluster": ("cluster of its own", monitored(("hooks=[]", "master='grpc://host:2222'"))),
    "hidden arguments": ("hands on here", monitored(("hooks=[]", "**dict(hooks=[])"))),
    "hooks of another module": (
        "which hooks this session is given",
        monitored(("import numpy", "from other import make\nimport numpy"), ("[])", "make())")),
    ),
    "a hook of another module": (
        "what this hook does",
        monitored(("import numpy", "from other import Own\nimport numpy"), ("[])", "[Own()])")),
    ),
    "a creator of another module": (
        "what makes this session",
        monitored(
            ("import numpy", "from other import make\nimport numpy"),
            ("MonitoredTrainingSession(", "MonitoredSession(make(), "),
        ),
    ),
    "a worker's creator": (
        "what makes this session",
        monitored(
            ("MonitoredTrainingSession(", "MonitoredSession(tf.train.WorkerSessionCreator(), ")
        ),
    ),
    "a hook that stops by its own loss": (
        "by a value of one worker's own",
        with_hook("if values.results < 1: context.request_stop()"),
    ),
    "a hook that puts values into variables": (
        "what this hook runs behind the broadcast",
        with_hook("context.session.run(weights.assign(np.random.rand(3, 1)))"),
    ),
    "values that are put in before the loop": (
        "its graph is finished",
        monitored(
            (RUN, "        pass\n    sess.run(weights.assign(np.random.rand(3, 1)))\n" + RUN[4:])
        ),
    ),
    "summaries of gradients, and runs that take no step": (
        "worker 0 alone writes these averaged gradients",
        monitored(
            (TRAIN, TRAIN + "tf.summary.scalar('g', optimizer.compute_gradients(loss)[0][0])\n"),
            (RUN, "        sess.run(weights)\n" + RUN),
        ),
    ),
    "steps that a function of the session takes": (
        "what is done with this session",
        monitored((RUN, "        sess.run_step_fn(print)\n" + RUN)),
    ),
    "Horovod by half": (
        "uses Horovod already",
        monitored(("import numpy", "import horovod.tensorflow as hvd\nimport numpy")),
    ),
}
REFUSED: dict[str, tuple[str, Edits]] = {
    "gradients that a branch of the graph computes": (
        "nobody can tell what computes these gradients",
        (
            (
                TRAIN,
                "def slopes():\n    return tf.gradients(loss, [weights])[0]\n\n\n"
                "pair = tf.cond(loss > 1.0, slopes, slopes), weights\n"
                "train = optimizer.apply_gradients([pair])\n",
            ),
        ),
    ),
    "gradients of unknown code": (
        "not computed by an optimizer",
        (
            (
                TRAIN,
                "gradients = optimizer.get_gradients(loss, [weights])\n"
                "train = optimizer.apply_gradients(zip(gradients, [weights]))\n",
            ),
        ),
    ),
    "a rate of each worker's own between the steps": (
        "puts values into variables between the steps",
        (("x = tf.pl", RATE), (RUN, "        sess.run(put, {new: np.random.rand()})\n" + RUN)),
    ),
    "values that the loop's function puts in between the steps": (
        "puts values into variables between the steps",
        (
            (
                SESSION,
                "def put(sess):\n    sess.run(weights.assign(np.random.rand(3, 1)))\n\n\n"
                + SESSION,
            ),
            (RUN, "        put(sess)\n" + RUN),
        ),
    ),
    "a collection of the program's own that holds a step": (
        "whether this run takes a training step",
        (
            (TRAIN, TRAIN + "tf.add_to_collection('losses', train)\n"),
            (RUN, "        sess.run(tf.get_collection('losses'))\n" + RUN),
        ),
    ),
    "a collection that a graph in a file may fill": (
        "whether this run takes a training step",
        (
            (TRAIN, TRAIN + "tf.train.import_meta_graph('old.meta')\n"),
            (RUN, "        sess.run(tf.get_collection('losses'))\n" + RUN),
        ),
    ),
    "a collection that the program puts a step into": (
        "whether this run takes a training step",
        (
            (TRAIN, TRAIN + "tf.add_to_collection(tf.GraphKeys.UPDATE_OPS, train)\n"),
            (RUN, "        sess.run(tf.get_collection(tf.GraphKeys.UPDATE_OPS))\n" + RUN),
        ),
    ),
    "variables of data between the steps": (
        "puts values into variables between the steps",
        (
            ("x = tf.pl", RATE),
            (RUN, "        sess.run(rate.assign(tf.reduce_mean(x)), {x: [[1.0] * 3]})\n" + RUN),
        ),
    ),
    "gradients that are added up in variables": (
        "what computes these gradients",
        (
            (
                TRAIN,
                "held = tf.Variable(tf.zeros([3, 1]), trainable=False)\n"
                "train = optimizer.apply_gradients([(held, weights)])\n",
            ),
        ),
    ),
    "a step in a branch of the graph": (
        "one worker may leave out",
        ((TRAIN, "train = tf.cond(loss < 1, lambda: optimizer.minimize(loss), tf.no_op)\n"),),
    ),
    "a step in a function of the module that a branch calls": (
        "one worker may leave out",
        (
            (
                TRAIN,
                "def step():\n    return optimizer.minimize(loss)\n\n\n"
                "train = tf.cond(loss < 1, lambda: step(), tf.no_op)\n",
            ),
        ),
    ),
    "an operation by its name": (
        "whether this run takes a training step",
        ((RUN, "        sess.run(['train'])\n" + RUN),),
    ),
    "a state that goes from step to step": (
        "what a step gives is fed to the next one",
        (
            (LOOP, "    state = np.zeros([4, 3])\n" + LOOP),
            (
                "sess.run(train, {x: np.random.rand(4, 3)})",
                "_, state = sess.run([train, x], {x: state})",
            ),
        ),
    ),
    "a cluster": ("a cluster of its own", (("n() as", "n('grpc://host:2222') as"),)),
    "an optimizer of another module": (
        "what this session trains",
        (("optimizer = tf.train.AdamOptimizer(0.01)\n", "from other import optimizer\n"),),
    ),
    "an optimizer that is asked for what Horovod's lacks": (
        "what is done with this optimizer",
        ((TRAIN, TRAIN + "print(optimizer._lr)\n"),),
    ),
    "an operation that the graph hands out": (
        "whether this run takes a training step",
        ((RUN, "        sess.run(tf.get_collection('train'))\n" + RUN),),
    ),
    "an operation of another module": (
        "whether this run takes a training step",
        (
            ("import numpy", "from other import step\nimport numpy"),
            (RUN, "        sess.run(step)\n" + RUN),
        ),
    ),
    "variables that nothing initialises": (
        "where the variables of this session are initialised",
        (("    sess.run(tf.global_variables_initializer())\n", ""),),
    ),
    "values that are put in between the steps": (
        "puts values into variables between the steps",
        ((RUN, "        sess.run(weights.assign(np.random.rand(3, 1)))\n" + RUN),),
    ),
    "a graph that is not the default one": (
        "in which graph the variables are",
        ((SESSION, "sess = tf.Session(graph=tf.Graph())\nif True:\n"),),
    ),
    "a configuration of another module": (
        "where the configuration of this session is made",
        (("import numpy", "from other import make\nimport numpy"), ("n()", "n(config=make())")),
    ),
    "a GPU of the program's choice": (
        "one GPU visible to every worker",
        (
            (SESSION, "config = tf.ConfigProto()\n" + SESSION),
            (SESSION, "config.gpu_options.visible_device_list = '0'\n" + SESSION),
        ),
    ),
    "another device": (
        "which device this is",
        (("weights = tf", "with tf.device('/gpu:1'):\n    weights = tf"),),
    ),
    "a session of another kind": (
        "which session this is",
        (
            ("import numpy", "from other import opened\nimport numpy"),
            ("tf.Session()", "opened()"),
        ),
    ),
    "a session that is handed out": (
        "what is done with this session",
        (
            ("import numpy", "from other import use\nimport numpy"),
            (RUN, "        use(sess)\n" + RUN),
        ),
    ),
    "queues of two epochs": (
        "another number of steps",
        (
            ("x = tf.pl", PRODUCER.replace("['a']", "['a'], 2")),
            (LOOP, "    tf.train.start_queue_runners()\n" + LOOP),
        ),
    ),
    "queues that a thread of the program's own fills": (
        "another number of steps",
        (
            (
                "x = tf.pl",
                PRODUCER.replace("x = tf.pl", "tf.train.add_queue_runner(more)\nx = tf.pl"),
            ),
            (LOOP, "    tf.train.start_queue_runners()\n" + LOOP),
        ),
    ),
    "queues": (
        "another number of steps",
        ((LOOP, "    tf.train.start_queue_runners()\n" + LOOP),),
    ),
    "a graph that is finalised": (
        "takes no operation",
        ((LOOP, "    sess.graph.finalize()\n" + LOOP),),
    ),
    "Horovod by half": (
        "uses Horovod already",
        (("import numpy", "import horovod.tensorflow as hvd\nimport numpy"),),
    ),
    "a writer that a `with` opens": (
        "every worker would write",
        ((LOOP, "    with tf.summary.FileWriter('logs') as writer:\n        pass\n" + LOOP),),
    ),
    "a writer that is asked for its folder": (
        "only worker 0 has this writer",
        (
            (SESSION, "writer = tf.summary.FileWriter('logs')\n" + SESSION),
            (LOOP, "    print(writer.get_logdir())\n" + LOOP),
        ),
    ),
    "a restore that one worker may leave out": (
        "this decides whether a step is taken",
        (
            ("import numpy", "import os\n\nimport numpy"),
            (
                SESSION,
                "def restored(sess):\n    if os.path.exists('c'):\n        saver.restore(sess, 'c')\n"
                "        return True\n    return False\n\n\n" + SESSION,
            ),
            (LOOP, "    while not restored(sess):\n        pass\n" + LOOP),
        ),
    ),
    "a loop that goes on where files say": (
        "where the files that it sees say",
        (
            ("import numpy", "import os\n\nimport numpy"),
            ("range(100)", "range(len(os.listdir('c')), 100)"),
        ),
    ),
    "an inner loop that goes on where the last checkpoint says": (
        "where the files that it sees say",
        (
            (
                LOOP + " range(100):\n",
                "    for epoch in range(3):\n"
                "     for step in range(int(tf.train.latest_checkpoint('c')[-1]), 100):\n",
            ),
        ),
    ),
    "an end by the loss": (
        "decides whether a step is taken",
        ((RUN, "        if sess.run(loss, {x: np.ones([1, 3])}) < 1: break\n" + RUN),),
    ),
}


@pytest.mark.parametrize("edits", FOLLOWED.values(), ids=FOLLOWED)
def test_what_can_be_followed_is_rewritten(edits: Edits) -> None:
    found = migrate(edited(edits))
    assert found.blocked == ()
    assert {"D104", "D105", "D401", "D402"} <= {step.code for step in found.steps}


@pytest.mark.parametrize("edits", FOLLOWED_MONITORED.values(), ids=FOLLOWED_MONITORED)
def test_a_monitored_session_that_can_be_followed_is_rewritten(edits: Edits) -> None:
    found = migrate(edited(edits))
    assert found.blocked == ()
    assert {"D104", "D105", "D401", "D403"} <= {step.code for step in found.steps}


@pytest.mark.parametrize(
    ("why", "edits"),
    REFUSED_MONITORED.values(),
    ids=[f"monitored: {name}" for name in REFUSED_MONITORED],
)
def test_what_of_a_monitored_session_cannot_be_followed_is_named(why: str, edits: Edits) -> None:
    found = migrate(edited(edits))
    assert any(why in finding.message for finding in found.blocked), found.blocked
    assert found.after == found.before


@pytest.mark.parametrize(("why", "edits"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_followed_is_named(why: str, edits: Edits) -> None:
    found = migrate(edited(edits))
    assert any(why in finding.message for finding in found.blocked), found.blocked
    assert found.after == found.before


IDLE = {
    "a constant": "with tf.Session() as sess:\n    sess.run(tf.constant(1))\n",
    "a loop over what is fed": "w = tf.placeholder(tf.float32)\ncost = tf.reduce_mean(w * 3.0)\n"
    "with tf.Session() as sess:\n    for i in range(9):\n        print(i, sess.run(cost, {w: i}))\n",
    "a saved model that predicts": "x = tf.placeholder(tf.float32, (None, 2))\n"
    "y = tf.layers.dense(x, 1)\nsaver = tf.train.Saver()\nwith tf.Session() as sess:\n"
    "    saver.restore(sess, 'model')\n    print(sess.run(y, {x: [[1.0, 2.0]]}))\n",
    "a frozen graph": "graph = tf.GraphDef()\ntf.import_graph_def(graph, name='')\n"
    "with tf.Session() as sess:\n    y = sess.graph.get_tensor_by_name('scores:0')\n"
    "    print(sess.run(y, {'x:0': [[1.0]]}), sess.run('labels:0'))\n",
    "nothing": "sess = tf.Session()\nsess.close()\n",
}
BUSY = {
    "a step by its name": "with tf.Session() as sess:\n    sess.run('train')\n",
    "a step of a graph from a file": "with tf.Session() as sess:\n"
    "    sess.run(sess.graph.get_tensor_by_name('training/step:0'))\n",
    "of another module": "from model import step\nwith tf.Session() as sess:\n    sess.run(step)\n",
    "by another module": "import work\nwith tf.Session() as sess:\n    work.go(sess)\n",
    "a variable that changes": "v = tf.Variable(0.0)\nmore = v.assign_add(1.0)\n"
    "with tf.Session() as sess:\n    sess.run(more)\n",
    "a gradient": "v = tf.Variable(0.0)\ng = tf.gradients(v * v, v)\n"
    "with tf.Session() as sess:\n    sess.run(g)\n",
    "by who knows whose session": "def go(session, op):\n    session.run(op)\n\n\n"
    "sess = tf.Session()\nsess.close()\n",
    "what nothing binds": "with tf.Session() as sess:\n    sess.run(op)\n",
}


@pytest.mark.parametrize("lines", IDLE.values(), ids=IDLE)
def test_a_session_that_trains_nothing_is_no_finding(lines: str) -> None:
    found = migrate("import tensorflow.compat.v1 as tf\n" + lines)
    assert not found.blocked
    assert not found.steps


@pytest.mark.parametrize("lines", BUSY.values(), ids=BUSY)
def test_a_session_that_may_train_is_named(lines: str) -> None:
    found = migrate("import tensorflow.compat.v1 as tf\n" + lines)
    assert ("T06", "nobody can tell what this session trains") in [
        (finding.code, finding.message) for finding in found.blocked
    ]
