"""`tf.distribute` is taken out where all uses of it are known, and nothing is touched elsewhere."""

from __future__ import annotations

import re

import pytest

from distify.codemods.facts import Facts
from distify.codemods.migrate import migrate
from distify.codemods.model import Migration, Options
from distify.codemods.project.migrate import migrate_project
from distify.codemods.project.texts import Project
from distify.codemods.repairs._strategy_obstacles import in_the_way, looked_at

HEAD = """import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
x = tf.ones((8, 4))
"""
END = "model.fit(x, x[:, :1])\n"
FINDS = (
    "try:\n    tpu = tf.distribute.cluster_resolver.TPUClusterResolver()\n"
    "except (ValueError, KeyError):\n    tpu = None\n"
)
CONNECTS = "tf.config.experimental_connect_to_cluster(tpu)"
TAKEN: dict[str, tuple[str, str]] = {
    "a global batch size": ("n = 4 * strategy.num_replicas_in_sync\n", "n = 4\n"),
    "the other way round": ("n = strategy.num_replicas_in_sync * 4\n", "n = 4\n"),
    "a batch size of one replica": ("n = 64 // strategy.num_replicas_in_sync\n", "n = 64\n"),
    "a count by itself": ("n = strategy.num_replicas_in_sync\n", "n = 1\n"),
    "a count in a text": ("n = f'{strategy.num_replicas_in_sync} GPUs'\n", "n = f'{1} GPUs'\n"),
    "a distributed dataset": ("d = strategy.experimental_distribute_dataset(x)\n", "d = x\n"),
    "a call": (
        "def f(a, b):\n    return a\n\n\nn = strategy.run(f, args=(x, 1))\n",
        "n = f(x, 1)\n",
    ),
    "a call by its older name": ("n = strategy.experimental_run_v2(abs, (x,))\n", "n = abs(x)\n"),
    "a call of what is in a list": ("n = strategy.run(max, args=x)\n", "n = max(*x)\n"),
    "a call of nothing": ("n = strategy.run(dict)\n", "n = dict()\n"),
    "a sum": ('n = strategy.reduce("SUM", x, axis=None)\n', "n = x\n"),
    "a mean over examples": (
        'n = strategy.reduce("MEAN", x, axis=0)\n',
        "n = tf.reduce_mean(x, axis=0)\n",
    ),
    "a count that divides": ("n = 1e-3 / strategy.num_replicas_in_sync\n", "n = 1e-3\n"),
    "a spelling": ("n = 0x10 * strategy.num_replicas_in_sync\n", "n = 0x10\n"),
    "an inner spelling": (
        "n = strategy.run(max, args=(1e-3, f'{x.shape}', strategy.num_replicas_in_sync))\n",
        "n = max(1e-3, f'{x.shape}', 1)\n",
    ),
    "a sum that is divided": (
        "n = (1 + strategy.num_replicas_in_sync * 2) * strategy.num_replicas_in_sync\n",
        "n = 1 + 2\n",
    ),
    "the same name": ("x = strategy.experimental_distribute_dataset(x)\n", "8, 4))\nmodel.fit"),
    "the same sum": ("x = strategy.reduce('SUM', x, axis=None)\n", "8, 4))\nmodel.fit"),
    "a lambda": ("n = strategy.run(lambda: abs(x))\n", "n = abs(x)\n"),
    "a lambda with a value": (
        "n = strategy.run(lambda v: abs(v), args=(x,))\n",
        "n = (lambda v: abs(v))(x)\n",
    ),
    "the first result": ("n = strategy.experimental_local_results(x)[0]\n", "n = x\n"),
    "all results": (
        "r = strategy.run(tf.abs, args=(x,))\nn = tf.concat(r.values, axis=0)\n",
        "n = tf.concat((r,), axis=0)\n",
    ),
    "values of another kind": (
        "d = {1: 2}\nn = strategy.run(abs, args=(x,))\nm = d.values()\n",
        "n = abs(x)\nm = d.values()\n",
    ),
    "what is gathered": ("n = strategy.gather(x, axis=0)\n", "n = x\n"),
    "data of a function": (
        "def f(context):\n    n = context.get_per_replica_batch_size(64)\n"
        "    d = tf.data.Dataset.range(64)\n"
        "    d = d.shard(context.num_input_pipelines, context.input_pipeline_id)\n"
        "    return d.batch(n).repeat(context.num_replicas_in_sync)\n\n\n"
        "d = strategy.distribute_datasets_from_function(f)\n",
        "def f(context):\n    n = 64\n    d = tf.data.Dataset.range(64)\n"
        "    return d.batch(n).repeat(1)\n\n\nd = f(None)\n",
    ),
    "data of a lambda and of a function": (
        "def f(n, context=None):\n    if context:\n        n = n // context.num_replicas_in_sync\n"
        "    return tf.data.Dataset.range(64).batch(n)\n\n\n"
        "d = strategy.experimental_distribute_datasets_from_function(lambda c: f(8, context=c))\n",
        "    return tf.data.Dataset.range(64).batch(n)\n\n\nd = f(8, context=None)\n",
    ),
    "the number of workers": (
        "import json, os\n\nconfig = json.loads(os.environ['TF_CONFIG'])\n"
        "n = 4 * len(config['cluster']['worker'])\n",
        "import json, os\n\nn = 4 * 1\n",
    ),
    "which worker it is": (
        "import json, os\n\nconfig = json.loads(os.environ.get('TF_CONFIG', '{}'))\n"
        "k, n = config['task']['index'], len(config['cluster']['worker'])\n",
        "import json, os\n\nk, n = 0, 1\n",
    ),
    "who saves": ("n = strategy.extended.should_save_checkpoint\n", "n = True\n"),
    "a place in a cluster": (
        "k, n = (strategy.cluster_resolver.task_type, strategy.cluster_resolver.task_id)\n",
        "k, n = (None, 0)\n",
    ),
    "a cluster": (
        "n = strategy.cluster_resolver.cluster_spec()\n",
        "n = tf.train.ClusterSpec({})\n",
    ),
    "whether there is a cluster": (
        "n = strategy.cluster_resolver is None or strategy.cluster_resolver.task_id == 0\n",
        "n = True or True\n",
    ),
    "a replica that asks for itself": (
        "n = tf.distribute.get_replica_context().all_reduce('sum', x)\n",
        "n = x\n",
    ),
    "which replica it is": (
        "n = tf.distribute.get_replica_context().replica_id_in_sync_group\n",
        "n = 0\n",
    ),
    "one of a table": (
        "TABLE = {'a': tf.distribute.MirroredStrategy, 'b': tf.distribute.get_strategy}\n"
        "other = TABLE['a']()\nwith other.scope():\n    n = 1\n",
        "4))\nn = 1\n",
    ),
    "one of a table that is asked for its keys": (
        "import sys\n\nTABLE = {'a': tf.distribute.MirroredStrategy}\nprint(list(TABLE))\n"
        "with TABLE[sys.argv[1]]().scope():\n    n = 1\n",
        "TABLE = {'a': None}\nprint(list(TABLE))\nn = 1\n",
    ),
    "one of a table of functions": (
        "TABLE = {'a': lambda: tf.distribute.MirroredStrategy()}\n"
        "with TABLE['a']().scope():\n    n = 1\n",
        "TABLE = {'a': lambda: None}\nn = 1\n",
    ),
    "one that is printed": (
        "print(strategy, f'{strategy}', isinstance(strategy, dict))\n",
        "f'{None}', isinstance(None, dict))\n",
    ),
    "one that is logged": (
        "import logging\n\nlog = logging.getLogger('a')\nlog.info('%s', type(strategy))\n",
        "log.info('%s', type(None))\n",
    ),
    "a TPU, if there is one": (
        "try:\n    tpu = tf.distribute.cluster_resolver.TPUClusterResolver()\n"
        "    other = tf.distribute.TPUStrategy(tpu)\n"
        "except ValueError:\n    # no TPU\n    other = tf.distribute.get_strategy()\n"
        "n = other.num_replicas_in_sync\n",
        ")\n# no TPU\nn = 1\n",
    ),
    "a TPU that is found first": (
        f"{FINDS}if tpu:\n    {CONNECTS}\n    other = tf.distribute.TPUStrategy(tpu)\n"
        "else:\n    other = tf.distribute.get_strategy()\nn = other.num_replicas_in_sync\n",
        ")\ntpu = None\nn = 1\n",
    ),
    "a TPU, or several GPUs": (
        f"{FINDS}if tpu is not None:\n    other = tf.distribute.TPUStrategy(tpu)\n"
        "elif len(x) > 1:\n    print('GPUs')\n    other = tf.distribute.MirroredStrategy()\n"
        "else:\n    print('one')\n    other = tf.distribute.get_strategy()\n"
        "n = other.num_replicas_in_sync\n",
        "tpu = None\nif len(x) > 1:\n",
    ),
    "no TPU, asked the other way round": (
        f"{FINDS}if not tpu:\n    print('none')\nelse:\n    {CONNECTS}\n",
        "tpu = None\nprint('none')\nmodel.fit",
    ),
    "a TPU in one expression": (
        f"{FINDS}other = tf.distribute.TPUStrategy(tpu) if tpu else tf.distribute.get_strategy()\n"
        "n = other.num_replicas_in_sync\n",
        "tpu = None\nother = None\nn = 1\n",
    ),
    "a TPU that is asked for by an option": (
        "import sys\n\nif sys.argv[1] == 'tpu':\n"
        "    tpu = tf.distribute.cluster_resolver.TPUClusterResolver(tpu='a')\n"
        "    other = tf.distribute.TPUStrategy(tpu)\n"
        "else:\n    other = tf.distribute.MirroredStrategy()\n"
        "n = other.num_replicas_in_sync\n",
        "== 'tpu':\n    raise NotImplementedError(\"Horovod has no collectives for TPUs\")\nelse",
    ),
    "a strategy without a name": (
        "with tf.distribute.get_strategy().scope():\n    n = 1\n",
        ")\nn = 1\n",
    ),
    "what one is made of": (
        "options = tf.distribute.experimental.CommunicationOptions()\n"
        "strategy = tf.distribute.MultiWorkerMirroredStrategy(communication_options=options)\n",
        "x = tf.ones((8, 4))\nmodel.fit",
    ),
    "a sum over examples": (
        "n = strategy.reduce(tf.distribute.ReduceOp.SUM, x, axis=1)\n",
        "n = tf.reduce_sum(x, axis=1)\n",
    ),
    "keywords of a call": ("n = strategy.run(dict, kwargs={'a': 1})\n", 'n = dict(**{"a": 1})\n'),
    "a sum of a call": (
        'n = strategy.reduce("SUM", strategy.run(abs, args=(x,)), axis=None)\n',
        "n = abs(x)\n",
    ),
    "local results": ("n = strategy.experimental_local_results(x)\n", "n = (x,)\n"),
    "a scope in a scope": (
        "with strategy.scope():\n    with strategy.scope():\n        # inner\n        n = 1\n",
        "# inner\nn = 1\n",
    ),
    "a sum in a call, twice": (
        "n = strategy.run(abs, args=(2 * strategy.experimental_local_results(x + x)[0],))\n",
        "n = abs(2 * (x + x))\n",
    ),
    "a sum in a call, turned": (
        "n = strategy.run(abs, args=(-strategy.experimental_local_results(x + x)[0],))\n",
        "n = abs(-(x + x))\n",
    ),
    "the shape of a sum in a call": (
        "n = strategy.run(len, args=(strategy.experimental_local_results(x + x)[0].shape,))\n",
        "n = len((x + x).shape)\n",
    ),
    "one of two": (
        "if n:\n    strategy = tf.distribute.get_strategy()\n".replace("n:", "x is None:"),
        "x = tf.ones((8, 4))\nmodel.fit",
    ),
}
LEFT = {
    "a replica asks for itself": "n = tf.distribute.get_replica_context()\n",
    "it goes to a function": "max(strategy)\n",
    "an operation that nobody knows": "n = strategy.reduce(n, x, axis=0)\n",
    "a function that nobody sees": "n = strategy.run(*x)\n",
    "it is asked for": "if strategy:\n    n = 1\n",
    "a TPU without a search": "try:\n    strategy = tf.distribute.TPUStrategy(x)\n"
    "except ValueError:\n    strategy = tf.distribute.get_strategy()\n",
    "a TPU that has to be there": f"{FINDS}{CONNECTS}\n",
    "a TPU or an error": FINDS.replace("tpu = None", "raise") + f"if tpu:\n    {CONNECTS}\n",
    "a TPU asked for in the second place": f"{FINDS}if n:\n    n = 1\nelif tpu:\n    {CONNECTS}\n",
    "a table that has another": "T = {'a': tf.distribute.MirroredStrategy, 'b': tf.distribute.TPUStrategy}\n"
    "n = T['a']()\n",
    "a scope among others": "with strategy.scope(), open('a') as f:\n    n = 1\n",
    "a scope with a name": "with strategy.scope() as s:\n    n = 1\n",
    "a dataset for each pipeline": "n = strategy.distribute_datasets_from_function(print)\n",
    "a cluster that is read otherwise": "import json, os\n\n"
    "config = json.loads(os.environ['TF_CONFIG'])\nn = config['task']['type']\n",
    "its extended interface": "n = strategy.extended\n",
    "its devices": "n = strategy.extended.worker_devices\n",
    "a cluster with a name": "n = strategy.cluster_resolver\n",
    "a context that goes away": "n = strategy.distribute_datasets_from_function(lambda c: print(c))\n",
    "a context that is kept": "def f(c):\n    n = [c]\n    return n\n\n\n"
    "n = strategy.distribute_datasets_from_function(f)\n",
    "a question to a context": "def f(c):\n    return c.distributed_values\n\n\n"
    "n = strategy.distribute_datasets_from_function(f)\n",
    "options that are used elsewhere": "n = tf.distribute.experimental.CommunicationOptions()\n"
    "strategy = tf.distribute.MultiWorkerMirroredStrategy(communication_options=n)\nprint(n)\n",
}


def repaired(text: str) -> Migration:
    return migrate(text, Options(repair=frozenset({"A00"})))


@pytest.mark.parametrize("case", TAKEN)
def test_it_is_taken_out(case: str) -> None:
    line, expected = TAKEN[case]
    found = repaired(HEAD + line + END)
    assert found.steps[0].code == "A00"
    assert expected in found.steps[0].text
    assert not re.search(r"strategy[.:]", found.after)
    assert "tf.distribute" not in found.after
    assert not found.blocked


@pytest.mark.parametrize("case", LEFT)
def test_it_is_left_where_one_use_is_unknown(case: str) -> None:
    text = HEAD + LEFT[case] + END
    found = repaired(text)
    assert [finding.code for finding in found.blocked] == ["N01"]
    assert not migrate(text).repairs
    assert found.after == text or found.blocked


def test_a_class_may_be_named_for_readers() -> None:
    more = "def f(s: tf.distribute.Strategy) -> tf.distribute.Strategy:\n    return s\n\n\nf(strategy)\n"
    assert not repaired(HEAD + more + END).blocked
    assert "N01" not in {each.code for each in migrate(more).blocked}


@pytest.mark.parametrize(
    "strategy", ["TPUStrategy()", "experimental.ParameterServerStrategy(r)", "Strategy(None)"]
)
def test_another_kind_is_left(strategy: str) -> None:
    text = HEAD.replace("MirroredStrategy()", strategy) + END
    assert not migrate(text).repairs


def test_all_uses_of_an_attribute_are_found() -> None:
    text = """import tensorflow as tf


class Trainer:
    def __init__(self):
        self.strategy = tf.distribute.MirroredStrategy()
        with self.strategy.scope():
            self.model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
            self.model.compile("sgd", "mse")

    def train(self, x):
        self.model.fit(x, x, batch_size=2 * self.strategy.num_replicas_in_sync)


Trainer().train(tf.ones((8, 1)))
"""
    found = repaired(text)
    assert not found.blocked
    assert not re.search(r"strategy[.:]", found.after)
    assert "batch_size=2)" in found.steps[0].text


HANDED_ON = """import tensorflow as tf


def choose(gpus):
    if gpus > 1:
        return tf.distribute.MirroredStrategy()
    return tf.distribute.OneDeviceStrategy("/gpu:0")


class Trainer:
    def __init__(self, where, units):
        self.where = where
        with self.where.scope():
            self.model = tf.keras.Sequential([tf.keras.layers.Dense(units)])
            self.model.compile("sgd", "mse")

    def train(self, x):
        self.model.fit(x, x, batch_size=2 * self.where.num_replicas_in_sync)


strategy = choose(2)
Trainer(strategy, units=1).train(tf.ones((8, 1)))
"""


def test_it_is_followed_to_functions_and_objects() -> None:
    found = repaired(HANDED_ON)
    assert not found.blocked
    text = found.steps[0].text
    assert "tf.distribute" not in text
    assert "scope" not in text
    assert text.count("return None") == 2
    assert "batch_size=2)" in text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Trainer(strategy,", "max(strategy)\nTrainer(strategy,"),
        ("        self.where = where", "        self.where = [where]"),
        ("choose(2)", "[choose(2)][0]"),
        ("        self.where = where", "        self.where = where\n        print(where.extended)"),
    ],
)
def test_it_is_left_where_it_goes_where_nobody_sees(one: str, other: str) -> None:
    assert repaired(HANDED_ON.replace(one, other)).blocked
    assert not migrate(HANDED_ON.replace(one, other)).repairs


def test_comments_and_indentation_stay() -> None:
    text = HEAD.replace("    model =", "    # layers\n    model =") + END
    after = repaired(text).steps[0].text
    assert "\n# layers\nmodel = tf.keras" in after


def test_a_scope_on_one_line_behind_another_one_is_taken_out() -> None:
    found = repaired(HEAD + "with strategy.scope(): " + END)
    assert not found.blocked
    assert found.steps[0].text.endswith("\nmodel.fit(x, x[:, :1])\n")


def test_what_blocks_behind_it_is_told() -> None:
    text = HEAD.replace('"mse")', '"mse", jit_compile=True)') + END
    found = repaired(text)
    assert [finding.code for finding in found.blocked] == ["G02"]
    assert found.blocked[0].line == 6
    assert [offer.code for offer in found.repairs] == ["A04"]
    both = migrate(text, Options(repair=frozenset({"A00", "A04"})))
    assert not both.blocked
    assert [step.code for step in both.steps][:2] == ["A00", "A04"]


SEVERAL = {
    "dist.py": """\
import tensorflow as tf


class Config:
    def __init__(self, gpus, batch=8):
        self.strategy = None
        if gpus > 1:
            self.strategy = tf.distribute.MirroredStrategy()
        self.batch = batch


def scope_of(strategy):
    if strategy:
        return strategy.scope()
    return tf.name_scope("alone")
""",
    "train.py": """\
import sys

import numpy as np
import tensorflow as tf

from dist import Config, scope_of

config = Config(int(sys.argv[1]))
with scope_of(config.strategy):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
x = np.load("x.npy")
model.fit(x, x, batch_size=config.batch)
""",
}


def of_project(texts: dict[str, str]) -> Migration:
    found = migrate_project(Project("train.py", texts), Options(repair=frozenset({"A00"})))
    assert found is not None
    return found


def test_a_strategy_goes_over_all_modules_that_hand_it_on() -> None:
    found = of_project(SEVERAL)
    assert not found.blocked
    (other,) = [each.migration for each in found.others if each.path == "dist.py"]
    assert other.is_judged
    assert other.before == SEVERAL["dist.py"]
    assert "self.strategy = None\n        self.batch" in other.after
    assert "        return contextlib.nullcontext()\n" in other.after
    assert other.after.startswith("import contextlib\n")
    assert other.steps[0].code == "A00"
    assert "with scope_of(config.strategy):" in found.after


def test_it_is_offered_to_the_entry_that_starts_the_training() -> None:
    found = migrate_project(Project("train.py", SEVERAL), Options())
    assert found is not None
    assert [(offer.code, offer.is_alone) for offer in found.repairs] == [("A00", False)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("        self.strategy = None\n", ""),  # it never goes without: the branch may raise
        ("self.batch = batch", "self.batch = batch\n        print(self.strategy)"),
        ("batch_size=config.batch", "batch_size=guessed(config).num_replicas_in_sync"),
    ],
)
def test_it_is_left_in_all_modules_where_one_use_is_unknown(one: str, other: str) -> None:
    texts = {path: text.replace(one, other) for path, text in SEVERAL.items()}
    assert texts != SEVERAL
    assert of_project(texts).blocked


USER = """\
import tensorflow as tf
{0}

with {1}.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
x = tf.ones((8, 4))
model.fit(x, x[:, :1], batch_size=4 * {1}.num_replicas_in_sync)
"""
MAKER = "import tensorflow as tf\n\nstrategy = tf.distribute.MirroredStrategy()\n"


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("from dist import strategy", "strategy"),
        ("from dist import strategy as s", "s"),
        ("from dist import strategy as s\nstrategy = 3", "s"),  # it has another name in the program
        ("from dist import *", "strategy"),
        ("import dist", "dist.strategy"),
    ],
)
def test_a_name_stays_that_another_module_imports(line: str, name: str) -> None:
    found = of_project({"train.py": USER.format(line, name), "dist.py": MAKER})
    assert not found.blocked
    assert line.partition("\n")[0] in found.after
    (other,) = found.others
    assert other.migration.after == "import tensorflow as tf\n\nstrategy = None\n"


def test_what_one_is_made_of_keeps_a_name_that_another_module_imports() -> None:
    maker = "import tensorflow as tf\n\nhow = tf.distribute.ReductionToOneDevice()\n"
    line = "from dist import how\n\nstrategy = tf.distribute.MirroredStrategy(cross_device_ops=how)"
    found = of_project({"train.py": USER.format(line, "strategy"), "dist.py": maker})
    assert not found.blocked
    assert not re.search(r"strategy[.:]", found.after)
    (other,) = found.others
    assert other.migration.after == "import tensorflow as tf\n\nhow = None\n"


ASKING = """\
import json
import os


def count():
    config = json.loads(os.environ.get("TF_CONFIG", "{}"))
    return len(config.get("cluster", {}).get("worker", [])) or 1


workers = count()
"""


@pytest.mark.parametrize("end", ["workers", "count()"])
@pytest.mark.parametrize("more", ["", "import cluster\n\ncluster.workers = 2\n"])
def test_it_is_left_where_another_module_reads_the_cluster_otherwise(end: str, more: str) -> None:
    line = f"from cluster import count, workers\n{more}"
    line += "\nstrategy = tf.distribute.MultiWorkerMirroredStrategy()"
    text = USER.format(line, "strategy").replace("strategy.num_replicas_in_sync", end)
    found = of_project({"train.py": text, "cluster.py": ASKING})
    assert [finding.code for finding in found.blocked] == ["N01"]
    assert not found.steps
    assert "A00" not in [offer.code for offer in found.repairs]


def test_it_is_told_why_it_can_not_be_made() -> None:
    text = HEAD + "n = strategy.extended.worker_devices\n" + END
    (blocked,) = migrate(text).blocked
    why = "repair A00 can't be made, as nobody can follow `strategy.extended` in line 8"
    assert blocked.fix.endswith(why)
    texts = {
        **SEVERAL,
        "dist.py": SEVERAL["dist.py"] + "\n\nprint(Trainer.x.num_replicas_in_sync)\n",
    }
    found = migrate_project(Project("train.py", texts), Options())
    assert found is not None
    line = texts["dist.py"].count("\n")
    assert any(each.fix.endswith(f"in dist.py:{line}") for each in found.blocked)


def test_what_is_in_the_way_is_told_in_the_order_of_the_text() -> None:
    """Of many places the first one is named, in each run the same."""
    lines = (f"tf.distribute.has_strategy()\nprint({number})\n" for number in range(20))
    facts = Facts.of("import tensorflow as tf\n" + "".join(lines))
    found = [node.lineno for node in in_the_way(*looked_at(facts))]  # type: ignore[attr-defined]
    assert found == list(range(2, 42, 2))
