"""A rate grows with the workers where each of them trains on other examples, and only there."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.questions import QUESTIONS
from distify.codemods.judge.case import Case
from distify.codemods.judge.judge import judge
from distify.codemods.judge.obligations import named
from distify.codemods.judge.proof import NOT_PROVED, PROVED, VIOLATED, Proof
from distify.codemods.judge.size import OVERLAP, PART_OF_PART, TWICE
from distify.codemods.migrate import migrate
from distify.codemods.model import Migration, Options

HEAD = """\
import itertools
import os
import random

import gym
import horovod.tensorflow as hvd
import numpy as np
import table
import tensorflow as tf

hvd.init()
x, y = np.load("x.npy"), np.load("y.npy")
shard = slice(hvd.rank(), len(x) // hvd.size() * hvd.size(), hvd.size())
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
"""
FIT = """\
optimizer = hvd.DistributedOptimizer(tf.keras.optimizers.SGD({rate}))
model.compile(optimizer, "mse")
model.fit({data})
"""
STEP = """\
opt = tf.keras.optimizers.SGD({rate})
def step(a, b):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(a) - b) ** 2)
    tape = hvd.DistributedGradientTape(tape)
    variables = model.trainable_variables
    opt.apply_gradients(zip(tape.gradient(loss, variables), variables))
"""
GROWS = "0.1 * hvd.size()"


def fit(data: str, before: str = "", rate: str = GROWS) -> str:
    return HEAD + textwrap.dedent(before) + FIT.format(rate=rate, data=data)


def loop(rounds: str, before: str = "", rate: str = GROWS) -> str:
    body = textwrap.dedent(rounds)
    return HEAD + textwrap.dedent(before) + STEP.format(rate=rate) + body


def answers(text: str, options: Options | None = None, is_result: bool = True) -> list[Proof]:
    options = options or Options()
    before = {"a.py": "pass\n"} if is_result else {}
    case = Case({"a.py": text}, before, "a.py", options, QUESTIONS, lambda: Facts.of(text, options))
    return judge(case, [named("size")])


def verdicts(text: str, options: Options | None = None, is_result: bool = True) -> set[str]:
    return {proof.verdict for proof in answers(text, options, is_result)}


SOUND = {
    "arrays cut": fit("x[shard], y[shard]"),
    "cut by hand": fit("x[hvd.rank()::hvd.size()], y[hvd.rank()::hvd.size()]"),
    "a part of a split": fit("np.array_split(x, hvd.size())[hvd.rank()]"),
    "by the environment": fit("x[int(os.environ['OMPI_COMM_WORLD_RANK'])::8]"),
    "a root of the workers": fit("x[shard], y[shard]", rate="0.1 * hvd.size() ** 0.5"),
    "a pipeline": fit("tf.data.Dataset.from_tensor_slices((x, y)).shard(hvd.size(), hvd.rank()).batch(8)"),
    "cut in a function": fit("part(x), part(y)", "def part(a):\n    return a[shard]\n"),
    "one function for two": fit(
        "train, validation_data=valid",
        """\
        def prepared(data):
            return data.map(lambda a, b: (a, b)).batch(8)
        data = tf.data.Dataset.from_tensor_slices((x, y))
        train = prepared(data.shard(hvd.size(), hvd.rank()))
        valid = prepared(data)
        """,
    ),
    "kept by an object": loop(
        """\
        for i in range(len(data.x) // 8):
            step(data.x[i * 8 : i * 8 + 8], data.y[i * 8 : i * 8 + 8])
        """,
        """\
        class Data:
            def __init__(self):
                self.x, self.y = np.load("x.npy"), np.load("y.npy")
                self.x, self.y = self.x[shard], self.y[shard]
        data = Data()
        """,
    ),
    "every so many of a stream": loop(
        "for a, b in itertools.islice(table.stream(), hvd.rank(), None, hvd.size()):\n    step(a, b)\n"
    ),
    "files by number": fit("tf.data.TFRecordDataset(table.files()[hvd.rank()::hvd.size()]).batch(8)"),
    "a loader that gets both numbers": fit("table.load(hvd.rank(), hvd.size())"),
    "picks of its own": loop(
        "for _ in range(9):\n    i = np.random.randint(0, len(x), 8)\n    step(x[i], y[i])\n"
    ),
    "picks of a generator": loop(
        "for _ in range(9):\n    i = rng.choice(len(x), 8)\n    step(x[i], y[i])\n",
        "rng = np.random.default_rng()\n",
    ),
    "a generator that each seeds": loop(
        "for _ in range(9):\n    i = rng.choice(len(x), 8)\n    step(x[i], y[i])\n",
        "rng = np.random.default_rng(hvd.rank())\n",
    ),
    "an order of its own, and fewer epochs": loop(
        """\
        for _ in range(max(1, 9 // hvd.size())):
            order = np.random.permutation(len(x))
            for i in range(0, len(x), 8):
                step(x[order[i : i + 8]], y[order[i : i + 8]])
        """
    ),
    "the first of an order of its own": loop(
        "for _ in range(9):\n    i = np.random.permutation(len(x))[:8]\n    step(x[i], y[i])\n"
    ),
    "a shuffled list, and fewer epochs": loop(
        """\
        for _ in range(max(1, 9 // hvd.size())):
            random.shuffle(rows)
            for i in rows:
                step(x[i : i + 1], y[i : i + 1])
        """,
        "rows = list(range(64))\n",
    ),
    "an order without end, and fewer steps": fit(
        "tf.data.Dataset.from_tensor_slices((x, y)).shuffle(64).repeat().batch(8), steps_per_epoch=9 // hvd.size()"
    ),
    "noise alone": loop("for _ in range(9):\n    step(tf.random.normal([8, 4]), 0.0)\n"),
    "a game": loop(
        """\
        env = gym.make("CartPole-v1")
        for _ in range(9):
            state = env.reset()
            step(np.array([state]), 0.0)
        """
    ),
    "a rate that stays": fit("x, y, shuffle=False", rate="0.1"),
    "a rate of one's own for each": fit("table.load()", rate="0.1"),
    "shuffled by fit, for fewer epochs": fit("x, y, epochs=9 // hvd.size()"),
}  # fmt: skip


@pytest.mark.parametrize("program", SOUND)
def test_nothing_is_said_where_each_has_other_examples_or_the_rate_stays(program: str) -> None:
    assert verdicts(SOUND[program], is_result=False) == {PROVED}


SAME = {
    "all, in an order of its own": fit("x, y"),
    "all of a dataset, in an order of its own": fit(
        "tf.data.Dataset.from_tensor_slices((x, y)).shuffle(64).batch(8)"
    ),
    "one order": fit("x, y, shuffle=False"),
    "one seed": fit("x, y", "tf.random.set_seed(1)\n"),
    "a pipeline in one order": fit("tf.data.Dataset.from_tensor_slices((x, y)).batch(8)"),
    "a pipeline with a seed": fit("tf.data.Dataset.from_tensor_slices((x, y)).shuffle(64, seed=1).batch(8)"),
    "a generator of batches": fit(
        "batches()", "def batches():\n    while True:\n        for i in range(8):\n            yield x[i::8], y[i::8]\n"
    ),
    "a loop in one order": loop("for i in range(0, len(x), 8):\n    step(x[i : i + 8], y[i : i + 8])\n"),
    "all of it in each step": loop("for _ in range(9):\n    step(x, y)\n"),
    "no data at all": loop("for _ in range(9):\n    step(tf.ones([1, 4]), 0.0)\n"),
    "picks by one seed": loop(
        "np.random.seed(1)\nfor _ in range(9):\n    i = np.random.randint(0, len(x), 8)\n    step(x[i], y[i])\n"
    ),
    "noise by one seed": loop("tf.random.set_seed(1)\nfor _ in range(9):\n    step(tf.random.normal([8, 4]), 0.0)\n"),
    "noise on the same": loop("for _ in range(9):\n    step(x + tf.random.normal([64, 4]), y)\n"),
    "a size from the environment": fit("x, y, shuffle=False", rate="0.1 * int(os.environ['SLURM_NTASKS'])"),
    "a schedule": fit(
        "x, y, shuffle=False",
        rate="tf.keras.optimizers.schedules.CosineDecay(0.1 * hvd.size(), 900 // hvd.size())",
    ),
    "a number that cuts nothing": fit("x, y, shuffle=False, verbose=1 if hvd.rank() == 0 else 0"),
    "a rank in a name beside it": fit("x, y, shuffle=False", "log = open(f'{hvd.rank()}-{hvd.size()}.txt')\n"),
}  # fmt: skip


@pytest.mark.parametrize("program", SAME)
def test_a_rate_that_grows_on_the_same_examples_is_a_violation(program: str) -> None:
    assert VIOLATED in verdicts(SAME[program], is_result=False)


UNKNOWN = {
    "data out of sight": fit("table.load()"),
    "a reader": loop("for a, b in table.stream():\n    step(a, b)\n"),
    "shared on one way only": fit(
        "train, shuffle=False", "train = x[shard] if table.shares else x\n"
    ),
    "shared by one worker alone": fit(
        "train, shuffle=False", "train = x\nif hvd.rank() == 0:\n    train = x[shard]\n"
    ),
    "by its number alone": fit("table.load(hvd.rank())"),
    "given by a function out of sight": fit("table.part(x), table.part(y)"),
}


@pytest.mark.parametrize("program", UNKNOWN)
def test_what_nobody_can_tell_is_not_proved(program: str) -> None:
    assert NOT_PROVED in verdicts(UNKNOWN[program], is_result=False)


# -- a person's word ------------------------------------------------------------------------------

STREAM = """\
import table
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(0.1){rate}
for x, y in table.stream():{rows}
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    variables = model.trainable_variables
    opt.apply_gradients(zip(tape.gradient(loss, variables), variables))
"""
OWN = "  # distify: rows=own the reader asks for its part"
KEPT = "  # distify: rate=kept tuned for eight"


def migrated(rate: str = "", rows: str = "") -> Migration:
    return migrate(STREAM.format(rate=rate, rows=rows))


def test_unknown_data_is_refused_with_choices() -> None:
    (found,) = migrated().blocked
    assert found.code == "J08"
    assert all(way in found.fix for way in ("rows=own", "rate=kept", "hvd.rank()", "accept[size]"))


def test_rows_of_ones_own_are_taken_at_a_persons_word() -> None:
    seen = migrated(rows=OWN)
    assert not seen.blocked
    assert "SGD(0.1 * hvd.size())" in seen.after
    assert OWN in seen.after
    assert [(each.line, each.reason) for each in seen.suppressed] == [
        (6, "the reader asks for its part")
    ]
    assert not any("of an unknown kind" in note.message for note in seen.notes)
    assert migrate(seen.after).after == seen.after


def test_a_rate_that_is_to_stay_stays() -> None:
    seen = migrated(rate=KEPT)
    assert not seen.blocked
    assert "SGD(0.1)" in seen.after
    assert [each.reason for each in seen.suppressed] == ["tuned for eight"]
    assert migrate(seen.after).after == seen.after


def test_a_rate_stays_that_compile_names() -> None:
    text = """\
        import numpy as np
        import tensorflow as tf

        x = np.load("x.npy")
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        model.compile("adam", "mse")  # distify: rate=kept
        model.fit(x, x)
        """
    seen = migrate(textwrap.dedent(text))
    assert not seen.blocked
    assert "optimizers.Adam()" in seen.after
    assert "[shard]" in seen.after


def test_data_of_ones_own_is_not_cut() -> None:
    text = """\
        import numpy as np
        import tensorflow as tf

        x = np.load("x.npy")
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        model.compile("adam", "mse")
        model.fit(x, x)  # distify: rows=own each machine has its file
        """
    seen = migrate(textwrap.dedent(text))
    assert not seen.blocked
    assert "shard" not in seen.after
    assert "hvd.size()" in seen.after


@pytest.mark.parametrize("said", ["rows=own", "rate=kept"])
def test_a_word_that_nothing_asks_for_is_told(said: str) -> None:
    text = STREAM.format(rate=KEPT, rows="") + f"print(1)  # distify: {said}\n"
    notes = [note for note in migrate(text).notes if note.code == "S01"]
    assert [note.line for note in notes] == [11]
    assert said in notes[0].message


def test_a_word_that_nobody_knows_is_told() -> None:
    text = STREAM.format(rate=KEPT, rows="  # distify: rows=mine")
    assert [n.message for n in migrate(text).notes if n.code == "S01"] == [
        "distify doesn't understand `rows=mine`"
    ]


def test_the_settings_keep_all_rates() -> None:
    text = STREAM.format(rate="", rows="")
    assert not migrate(text, Options(learning_rate="none")).blocked


# -- units ----------------------------------------------------------------------------------------

SUMMED = fit("x[shard], y[shard]").replace(
    "SGD(0.1 * hvd.size()))", "SGD(0.1 * hvd.size()), op=hvd.Sum)"
)
DIVIDED = loop("for a, b in zip(x[shard], y[shard]):\n    step(a, b)\n").replace(
    "(model(a) - b) ** 2)", "(model(a) - b) ** 2) / hvd.size()"
)  # fmt: skip
UNLIKE = {
    "a sum of gradients, and the rate grows": SUMMED,
    "a mean of a loss that is divided": DIVIDED,
    "a mean of a loss over the batch of all": DIVIDED.replace(
        "tf.reduce_mean((model(a) - b) ** 2) / hvd.size()",
        "tf.nn.compute_average_loss((model(a) - b) ** 2, global_batch_size=8 * hvd.size())",
    ),
}
ALIKE = {
    "a sum, and the rate stays": SUMMED.replace("0.1 * hvd.size()", "0.1"),
    "a sum of a loss that is divided, and the rate grows": DIVIDED.replace(
        "GradientTape(tape)", "GradientTape(tape, op=hvd.Sum)"
    ),
    "one that doesn't feel it": SUMMED.replace("SGD", "Adam"),
}


@pytest.mark.parametrize("program", UNLIKE)
def test_units_that_do_not_go_together_are_a_violation(program: str) -> None:
    (found,) = [p for p in answers(UNLIKE[program], is_result=False) if not p.holds]
    assert found.verdict == VIOLATED
    assert "N times" in found.why


@pytest.mark.parametrize("program", ALIKE)
def test_units_that_go_together_are_not(program: str) -> None:
    assert verdicts(ALIKE[program], is_result=False) == {PROVED}


ENV = "OMPI_COMM_WORLD_SIZE"
COUNTS = {
    "Horovod": "hvd.size()",
    "the environment": f"int(os.environ['{ENV}'])",
    "with a default": f"int(os.getenv('{ENV}', 1))",
    "MPI": "MPI.COMM_WORLD.Get_size()",
    "an attribute of MPI": "MPI.COMM_WORLD.size",
    "of a machine, times the machines": "hvd.local_size() * hvd.cross_size()",
}


@pytest.mark.parametrize("count", COUNTS)
def test_a_rate_grows_once_by_whatever_tells_how_many_there_are(count: str) -> None:
    once = fit("x[shard], y[shard]", "from mpi4py import MPI\n", f"0.1 * {COUNTS[count]}")
    assert verdicts(once) == {PROVED}
    twice = fit("x[shard], y[shard]", "from mpi4py import MPI\n", f"0.1 * {COUNTS[count]} * n")
    (found,) = [p for p in answers(twice.replace("* n)", "* hvd.size())")) if p.why == TWICE]
    assert found.verdict == VIOLATED


@pytest.mark.parametrize("count", COUNTS)
def test_horovod_by_half_whose_rate_grows_is_not_scaled_again(count: str) -> None:
    text = fit("x[shard], y[shard]", "from mpi4py import MPI\n", f"0.1 * {COUNTS[count]}").replace(
        "y[shard])",
        "y[shard], callbacks=[hvd.callbacks.BroadcastGlobalVariablesCallback(0), "
        "hvd.callbacks.MetricAverageCallback()])",
    )
    text = text.replace("horovod.tensorflow as", "horovod.tensorflow.keras as")
    seen = migrate(text.replace("import gym\n", "").replace("import table\n", ""))
    assert not seen.blocked
    assert f"SGD(0.1 * {COUNTS[count]})" in seen.after
    assert "set_visible_devices" in seen.after


def test_a_number_of_workers_that_is_not_reckoned_is_no_rate_of_one_worker() -> None:
    key = f"KEY = '{ENV}'\n"
    assert verdicts(fit("x[shard], y[shard]", key, "0.1 * int(os.environ[KEY])")) == {PROVED}


def test_a_result_whose_rate_was_forgotten_is_a_violation() -> None:
    forgotten = fit("x[shard], y[shard]", rate="0.1")
    assert VIOLATED in verdicts(forgotten)
    assert verdicts(forgotten, Options(learning_rate="none")) == {PROVED}
    assert verdicts(forgotten, is_result=False) == {PROVED}  # as a person wants it
    assert verdicts(fit("x[shard], batch_size=64 // hvd.size()", rate="0.1")) == {PROVED}
    assert verdicts(fit("x[shard], batch_size=len(x)", rate="0.1")) == {PROVED}


OVERLAPPING = {
    "a data set that is shuffled before": fit(
        "tf.data.Dataset.from_tensor_slices((x, y)).shuffle(64).shard(hvd.size(), hvd.rank()).batch(8)"
    ),
    "an order without a seed": fit("x[order][shard], y[order][shard]", "order = np.random.permutation(len(x))\n"),
    "a part of an order": fit("x[order[hvd.rank()::hvd.size()]]", "order = np.random.permutation(len(x))\n"),
    "shuffled in place": fit("x[shard]", "np.random.shuffle(x)\n"),
    "files in an order of its own": fit(
        "tf.data.Dataset.list_files('*.rec').shard(hvd.size(), hvd.rank())"
    ),
    "shuffled files": fit(
        "tfds.load('a', split='train', shuffle_files=True).shard(hvd.size(), hvd.rank()).batch(8)",
        "import tensorflow_datasets as tfds\ntf.random.set_seed(0)\n",  # which is not enough
    ),
    "a table that is shuffled": fit(
        "tf.data.experimental.make_csv_dataset('a.csv', 8).shard(hvd.size(), hvd.rank())"
    ),
}  # fmt: skip
IN_ONE_ORDER = {
    "a seed of the shuffle": OVERLAPPING["a data set that is shuffled before"].replace("(64)", "(64, seed=1)"),
    "shuffled behind the cut": fit(
        "tf.data.Dataset.from_tensor_slices((x, y)).shard(hvd.size(), hvd.rank()).shuffle(64).batch(8)"
    ),
    "a seed before": OVERLAPPING["an order without a seed"].replace("order =", "np.random.seed(0)\norder ="),
    "a generator with a seed": OVERLAPPING["an order without a seed"].replace("np.random.p", "np.random.default_rng(0).p"),
    "told by worker 0": OVERLAPPING["an order without a seed"].replace(
        "len(x))\n", "len(x))\norder = hvd.broadcast_object(order, root_rank=0)\n"
    ),
    "told in its place": OVERLAPPING["shuffled in place"].replace(
        "shuffle(x)\n", "shuffle(x)\nx[:] = hvd.broadcast_object(x, root_rank=0)\n"
    ),
    "files by their names": OVERLAPPING["files in an order of its own"].replace("'*.rec'", "'*.rec', shuffle=False"),
    "shuffled files that are read in one order": OVERLAPPING["shuffled files"].replace(
        "True)", "True, read_config=tfds.ReadConfig(shuffle_seed=3))"
    ),
    "files as they are": OVERLAPPING["shuffled files"].replace("files=True", "files=False"),
    "a table with a seed": OVERLAPPING["a table that is shuffled"].replace("8)", "8, shuffle_seed=1)"),
}  # fmt: skip


@pytest.mark.parametrize("program", OVERLAPPING)
def test_shares_of_an_order_of_ones_own_are_a_violation(program: str) -> None:
    found = [p for p in answers(OVERLAPPING[program]) if p.why == OVERLAP]
    assert [p.verdict for p in found] == [VIOLATED]


@pytest.mark.parametrize("program", IN_ONE_ORDER)
def test_shares_of_one_order_are_not(program: str) -> None:
    assert not [p for p in answers(IN_ONE_ORDER[program]) if p.why == OVERLAP]
    assert verdicts(IN_ONE_ORDER[program]) == {PROVED}


# -- what is broken is convicted ------------------------------------------------------------------

ARRAYS = """\
import numpy as np
import tensorflow as tf

x, y = np.load("x.npy"), np.load("y.npy")
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.SGD(0.1), "mse")
model.fit(x, y, batch_size=8, shuffle=False)
"""
MUTANTS = {
    "no share": ("[shard]", ""),
    "no number": ("hvd.rank(), len(x)", "0, len(x)"),
    "no scale": ("0.1 * hvd.size()", "0.1"),
    "for one worker": ("x[shard],\n", "x[shard] if hvd.rank() == 0 else x,\n"),
    "a sum": ("DistributedOptimizer(optimizer)", "DistributedOptimizer(optimizer, op=hvd.Sum)"),
}


def test_what_distify_writes_is_proved() -> None:
    assert verdicts(migrate(ARRAYS).after) == {PROVED}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_mutant_is_convicted(mutant: str) -> None:
    after = migrate(ARRAYS).after
    old, new = MUTANTS[mutant]
    assert old in after
    assert verdicts(after.replace(old, new)) & {VIOLATED, NOT_PROVED}


# -- what was run on two workers ------------------------------------------------------------------

HAZARDS = Path(__file__).parents[2] / "distributed" / "hazards"
ON_ROWS = [
    "fit_arrays_not_sharded",
    "fit_dataset_not_sharded",
    "fit_generator_in_one_order",
    "session_feed_not_sharded",
    "tape_generator_in_one_order",
    "tape_noise_of_one_seed",
    "tape_not_sharded",
    "tape_picks_of_one_seed",
    "tape_sharded_as_worker_zero",
]


@pytest.mark.parametrize("name", ON_ROWS)
def test_what_verify_convicts_is_convicted_before(name: str) -> None:
    broken = (HAZARDS / name / "broken.py").read_text("utf-8")
    assert VIOLATED in verdicts(broken, is_result=False)


@pytest.mark.parametrize(
    "repaired", sorted(HAZARDS.glob("*/repaired.py")), ids=lambda p: p.parent.name
)
def test_what_verify_acquits_is_proved(repaired: Path) -> None:
    assert verdicts(repaired.read_text("utf-8"), is_result=False) == {PROVED}


# -- iterators that begin with several data sets ---------------------------------------------------

BEGUN = """\
import horovod.tensorflow as hvd
import numpy as np
import tensorflow.compat.v1 as tf

hvd.init()
x = np.load("x.npy")
first = tf.data.Dataset.from_tensor_slices(x[:192]){one}.batch(16)
second = tf.data.Dataset.from_tensor_slices(x[192:]){other}.batch(16)
types, shapes = tf.data.get_output_types(second), tf.data.get_output_shapes(second)
iterator = tf.data.Iterator.from_structure(types, shapes)
inputs = iterator.get_next()
begin, test = iterator.make_initializer(first), iterator.make_initializer(second)
w = tf.get_variable("w", [4, 1])
loss = tf.reduce_mean(tf.matmul(inputs, w) ** 2)
optimizer = hvd.DistributedOptimizer(tf.train.GradientDescentOptimizer(0.1 * hvd.size()))
train = optimizer.minimize(loss)
with tf.Session() as session:
    session.run([tf.global_variables_initializer(), hvd.broadcast_global_variables(0)])
    session.run(begin)
    while True:
        try:
            session.run(train)
        except tf.errors.OutOfRangeError:
            break
    session.run(test)
    print(session.run(loss))
"""
CUT = ".shard(hvd.size(), hvd.rank())"


@pytest.mark.parametrize(
    ("one", "other", "verdict"), [(CUT, "", PROVED), ("", CUT, NOT_PROVED), ("", "", VIOLATED)]
)
def test_an_iterator_trains_on_what_it_begins_with(one: str, other: str, verdict: str) -> None:
    assert verdicts(BEGUN.format(one=one, other=other)) == {verdict}


@pytest.mark.parametrize(
    ("placeholder", "fed", "verdict"),
    [
        ("tf.placeholder_with_default(False, [])", "True", PROVED),
        ("tf.placeholder(tf.bool)", "len(x) > 0", PROVED),
        ("tf.placeholder(tf.float32, [])", "0.1 * len(x)", PROVED),
        ("tf.placeholder(tf.float32)", "0.5", PROVED),
        ("tf.placeholder(tf.float32, [None, 4])", "x[:16]", VIOLATED),
        ("tf.placeholder(tf.float32)", "x[:16]", VIOLATED),
    ],
)
def test_a_setting_that_a_session_is_fed_is_no_data(
    placeholder: str, fed: str, verdict: str
) -> None:
    text = BEGUN.format(one=CUT, other="").replace("w = tf.get", f"fed = {placeholder}\nw = tf.get")
    assert verdicts(text.replace("run(train)", f"run(train, {{fed: {fed}}})")) == {verdict}
    whole = text.replace(CUT, "").replace("run(train)", f"run(train, {{fed: {fed}}})")
    assert verdicts(whole) == {VIOLATED}


ADDED = loop(
    """
    for a, b in zip(DATA, y):
        add(a, b)
        opt.apply_gradients(zip(sums, model.trainable_variables))
    """,
    """
    sums = [tf.Variable(tf.zeros_like(v), trainable=False) for v in model.trainable_variables]
    def add(a, b):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(a) - b) ** 2)
        tape = hvd.DistributedGradientTape(tape)
        for each, g in zip(sums, tape.gradient(loss, model.trainable_variables)):
            each.assign_add(g)
    """,
).replace("    opt.apply_gradients(zip(tape.gradient(loss, variables), variables))", "    pass")


@pytest.mark.parametrize(
    ("data", "verdict"), [("x[shard]", PROVED), ("x", VIOLATED), ("table.rows()", NOT_PROVED)]
)
def test_gradients_that_are_added_up_are_of_what_they_were_taken_of(
    data: str, verdict: str
) -> None:
    cut = "y[shard]" if data == "x[shard]" else "y"
    assert verdicts(ADDED.replace("zip(DATA, y)", f"zip({data}, {cut})")) == {verdict}


@pytest.mark.parametrize(
    ("before", "data"),
    [
        ("np.random.seed(3)\n", "np.random.rand(8, 4)"),
        ("tf.keras.utils.set_random_seed(3)\n", "np.random.rand(8, 4)"),
        ("np.random.seed(3)\ndef made():\n    return np.random.rand(8, 4)\n", "made()"),
    ],
    ids=["of NumPy", "of Keras", "in a function"],
)
def test_what_one_seed_draws_is_told_by_its_seed(before: str, data: str) -> None:
    (found,) = [
        p for p in answers(loop(f"for n in range(9):\n    step({data}, 1.0)", before)) if p.fix
    ]
    assert f"because of `{before.partition(chr(10))[0]}`" in found.fix
    assert "rank()::" not in found.fix
    assert "rows=own" in found.fix


def test_what_all_read_is_told_to_be_shared() -> None:
    (found,) = [p for p in answers(loop("for n in range(9):\n    step(x, y)")) if p.fix]
    assert "rank()::" in found.fix


def test_a_part_of_a_part_is_not_told_as_a_rate_that_grows_twice() -> None:
    assert PART_OF_PART != TWICE


SCHEDULE = """\
class Linear(tf.keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, base, total):
        self.base, self.total = base, total

    def __call__(self, step):
        {counts}
        return self.base * (1 - step / self.total){times}
"""
ALL_STEPS = "step = step * hvd.size()"


@pytest.mark.parametrize(
    ("counts", "times", "verdict"),
    [
        (ALL_STEPS, " * hvd.size()", PROVED),
        (ALL_STEPS, "", VIOLATED),
        (ALL_STEPS, " * hvd.size() * hvd.size()", VIOLATED),
        ("again = hvd.size()", " * again * again", VIOLATED),
    ],
)
def test_a_schedule_that_counts_the_steps_of_all_grows_once(
    counts: str, times: str, verdict: str
) -> None:
    schedule = SCHEDULE.format(counts=counts, times=times)
    assert verdicts(fit("x[shard], y[shard]", schedule, "Linear(0.1, 90)")) == {verdict}
