"""Programs that are Horovod by half: what is missing is named and completed, and nothing is twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from distify.codemods import rewrites
from distify.codemods.applying.needs import NEEDS
from distify.codemods.migrate import migrate
from distify.codemods.model import ALREADY_HOROVOD, Migration, Options
from repeated import migrated

RULES = {rewrite.code: rewrite for rewrite in rewrites.all()}
FOLDER = Path(__file__).resolve().parents[3] / "examples"
APART = {"keras3", "projects", "refused"}  # of other settings, or refused
EXAMPLES = sorted(p for p in FOLDER.rglob("*.py") if not APART & set(p.relative_to(FOLDER).parts))
HAZARDS = Path(__file__).resolve().parents[2] / "distributed" / "hazards"

PIN = """\
for gpu in tf.config.list_physical_devices("GPU")[hvd.local_rank() : hvd.local_rank() + 1]:
    tf.config.set_visible_devices(gpu, "GPU")
"""
START = "import numpy as np\nimport tensorflow as tf\nimport horovod.tensorflow{} as hvd\n\nhvd.init()\n"
KERAS, TAPE = (START.format(part) + PIN for part in (".keras", ""))
DATA = "x, y = np.ones((8, 4)), np.ones((8, 1))\n"
SHARES = "x, y = x[hvd.rank() :: hvd.size()], y[hvd.rank() :: hvd.size()]\n"
MODEL = "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
ADAM = "opt = tf.keras.optimizers.Adam(0.001 * hvd.size())\n"
WRAP = "opt = hvd.DistributedOptimizer(opt)\n"
COMPILE = 'model.compile(opt, "mse")\n'
BROADCAST = "hvd.callbacks.BroadcastGlobalVariablesCallback(0)"
METRICS = "hvd.callbacks.MetricAverageCallback()"
QUIET = "verbose=1 if hvd.rank() == 0 else 0"
FIT = f"model.fit(x, y, callbacks=[{BROADCAST}], {QUIET})\n"
WHOLE = KERAS + DATA + SHARES + MODEL + ADAM + WRAP + COMPILE + FIT

LOOP = """\
for batch, (images, labels) in enumerate(dataset):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - labels) ** 2)
    tape = hvd.DistributedGradientTape(tape)
    grads = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(grads, model.trainable_variables))
    if batch == 0:
        hvd.broadcast_variables(model.variables, root_rank=0)
        hvd.broadcast_variables(opt.variables(), root_rank=0)
"""
DATASET = (
    "dataset = tf.data.Dataset.from_tensor_slices((np.ones((8, 4)), np.ones((8, 1))))\n"
    "dataset = dataset.shard(hvd.size(), hvd.rank()).batch(2)\n"
)
TAPES = TAPE + DATASET + MODEL + ADAM + LOOP


def missing(migration: Migration) -> list[str]:
    """The rules that the notes name, each once."""
    notes = [note for note in migration.notes if note.code == "P02"]
    return sorted(note.fix.partition("(")[2][:4] for note in notes)


def refused(text: str) -> list[tuple[str, int]]:
    return [(finding.code, finding.line) for finding in migrate(text).blocked]


def completed(text: str) -> str:
    """The text afterwards; a second run finds nothing left to do."""
    found = migrate(text)
    assert not found.blocked
    assert migrate(found.after).skipped == ALREADY_HOROVOD
    return found.after


@pytest.mark.parametrize("text", [WHOLE, TAPES], ids=["keras", "tape"])
def test_what_lacks_nothing_is_left_alone(text: str) -> None:
    found = migrate(text)
    assert (found.skipped, found.blocked, found.notes, found.after) == (
        ALREADY_HOROVOD, (), (), text,
    )  # fmt: skip


GUIDE_TAPE = (
    TAPE
    + """\
dataset = tf.data.Dataset.from_tensor_slices((np.ones((8, 4)), np.ones((8, 1))))
dataset = dataset.repeat().shuffle(8).batch(2)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.optimizers.Adam(0.001 * hvd.size())
checkpoint = tf.train.Checkpoint(model=model, optimizer=opt)


@tf.function
def training_step(images, labels, first_batch):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - labels) ** 2)
    tape = hvd.DistributedGradientTape(tape)
    grads = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(grads, model.trainable_variables))
    if first_batch:
        hvd.broadcast_variables(model.variables, root_rank=0)
        hvd.broadcast_variables(opt.variables(), root_rank=0)
    return loss


for batch, (images, labels) in enumerate(dataset.take(100 // hvd.size())):
    loss = training_step(images, labels, batch == 0)
    if batch % 10 == 0 and hvd.local_rank() == 0:
        print(batch, loss)
if hvd.rank() == 0:
    checkpoint.save("checkpoints")
"""
)
GUIDE_KERAS = (
    KERAS
    + """\
dataset = tf.data.Dataset.from_tensor_slices((np.ones((8, 4)), np.ones((8, 1))))
dataset = dataset.repeat().shuffle(8).batch(2)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
scaled_lr = 0.001 * hvd.size()
opt = hvd.DistributedOptimizer(tf.optimizers.Adam(scaled_lr), backward_passes_per_step=1)
model.compile(loss="mse", optimizer=opt, experimental_run_tf_function=False)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
    hvd.callbacks.LearningRateWarmupCallback(initial_lr=scaled_lr, warmup_epochs=3, verbose=1),
]
if hvd.rank() == 0:
    callbacks.append(tf.keras.callbacks.ModelCheckpoint("checkpoint-{epoch}.h5"))
verbose = 1 if hvd.rank() == 0 else 0
model.fit(dataset, steps_per_epoch=500 // hvd.size(), callbacks=callbacks, verbose=verbose)
"""
)
GUIDE_SESSION = """\
import keras
import tensorflow as tf
import horovod.keras as hvd

hvd.init()
config = tf.ConfigProto()
config.gpu_options.visible_device_list = str(hvd.local_rank())
keras.backend.set_session(tf.Session(config=config))
(x, y), _ = keras.datasets.mnist.load_data()
model = keras.models.Sequential([keras.layers.Flatten(), keras.layers.Dense(10)])
opt = hvd.DistributedOptimizer(keras.optimizers.Adadelta(1.0 * hvd.size()))
model.compile(loss="mse", optimizer=opt)
callbacks = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]
model.fit(x, y, callbacks=callbacks, epochs=12 // hvd.size(), verbose=1 if hvd.rank() == 0 else 0)
"""


@pytest.mark.parametrize("text", [GUIDE_TAPE, GUIDE_KERAS, GUIDE_SESSION])
def test_the_forms_of_horovods_own_guides_lack_nothing(text: str) -> None:
    assert migrate(text).skipped == ALREADY_HOROVOD


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_what_distify_writes_lacks_nothing(example: Path) -> None:
    assert migrate(migrated(example).after).skipped == ALREADY_HOROVOD


@pytest.mark.parametrize(
    ("text", "part", "expected"),
    [
        (WHOLE, "hvd.init()\n" + PIN, ["D102"]),
        (WHOLE, "hvd.init()\n", ["D102"]),
        (WHOLE, PIN, ["D102"]),
        (WHOLE, " * hvd.size()", ["D104"]),
        (WHOLE, WRAP, ["D105"]),
        (WHOLE, SHARES, ["D107"]),
        (WHOLE, f"callbacks=[{BROADCAST}], ", ["D302"]),
        (TAPES, " * hvd.size()", ["D104"]),
        (TAPES, "    tape = hvd.DistributedGradientTape(tape)\n", ["D201"]),
        (TAPES, LOOP[LOOP.index("    if batch") :], ["D202"]),
        (TAPES, ".shard(hvd.size(), hvd.rank())", ["D107"]),
    ],
)
def test_what_is_missing_is_named_and_completed(text: str, part: str, expected: list[str]) -> None:
    assert part in text
    half = text.replace(part, "")
    found = migrate(half)
    assert missing(found) == expected
    after = completed(half)
    for once in ("hvd.init()", "DistributedOptimizer(", "DistributedGradientTape(", BROADCAST):
        assert after.count(once) == text.count(once)
    assert after.count("import horovod") == 1


OLD = {"D401", "D402", "D403", "D404"}  # half a program of TensorFlow 1 is refused (T06)


@pytest.mark.parametrize(
    "code", sorted(set(RULES) - {"D100", "D101", "D103", "D108", "D207", "D208", "D303"} - OLD)
)
def test_a_program_without_one_rule_is_completed_by_that_rule(code: str) -> None:
    """Each example, migrated without it, and without what needs it."""
    rewrite = RULES[code]
    without = {code} | {other.code for other in RULES.values() if code in other.needs}
    options = Options(
        ignore=frozenset(without), unsound=True, tensorflow=rewrite.tensorflow, keras=rewrite.keras
    )
    half = migrate(rewrite.before, options)
    found = migrate(half.after)
    if half.left_out == ("D107",) and code == "D107":
        assert found.skipped in (None, ALREADY_HOROVOD)
    else:
        assert set(half.left_out) <= set(missing(found))
    assert completed(half.after) == migrate(rewrite.before).after


@pytest.mark.parametrize("name", sorted(path.name for path in HAZARDS.iterdir()))
def test_a_sound_program_is_completed_at_most_by_a_gpu(name: str) -> None:
    found = migrate((HAZARDS / name / "repaired.py").read_text(encoding="utf-8"))
    assert not found.blocked
    # Averages over the steps of one device, with a schedule: its steps are those of before.
    decays = {"tape_schedule_not_scaled", "tape_schedule_scaled_twice"}
    assert set(missing(found)) <= {"D102", *(["D106"] if name in decays else [])}


@pytest.mark.parametrize(
    "lines",
    [
        "opt = hvd.DistributedOptimizer(tf.keras.optimizers.Adam(0.001 * hvd.size()))\n",
        "scaled_lr = 0.001 * hvd.size()\nopt = tf.keras.optimizers.Adam(scaled_lr)\n" + WRAP,
        "size = hvd.size()\nopt = tf.keras.optimizers.Adam(learning_rate=0.001 * size)\n" + WRAP,
        "rate = 0.001\nrate *= hvd.size()\nopt = tf.keras.optimizers.Adam(rate)\n" + WRAP,
        "def scaled(rate):\n    return rate * hvd.size()\n\n\n"
        "opt = hvd.DistributedOptimizer(tf.keras.optimizers.Adam(scaled(0.001)))\n",
        "def made():\n    opt = tf.keras.optimizers.Adam(0.001 * hvd.size())\n"
        "    return hvd.DistributedOptimizer(opt)\n\n\nopt = made()\n",
        "opt = tf.keras.optimizers.Adam(0.001 * hvd.size())\nplain = opt\n"
        "opt = hvd.DistributedOptimizer(optimizer=plain, compression=hvd.Compression.fp16)\n",
    ],
)
def test_rates_and_wrappers_of_many_spellings(lines: str) -> None:
    assert migrate(WHOLE.replace(ADAM + WRAP, lines)).skipped == ALREADY_HOROVOD


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("tape = hvd.DistributedGradientTape(tape)", "tape = hvd.PartialDistributedGradientTape(tape)"),
        ("    with tf.GradientTape() as tape:", "    with hvd.DistributedGradientTape(tf.GradientTape()) as tape:"),
        ("    tape = hvd.DistributedGradientTape(tape)\n    grads = tape.gradient(loss, model.trainable_variables)\n",
         "    grads = hvd.DistributedGradientTape(tape).gradient(loss, model.trainable_variables)\n"),
        ("    tape = hvd.DistributedGradientTape(tape)\n    grads = tape.gradient(loss, model.trainable_variables)\n",
         "    grads = tape.gradient(loss, model.trainable_variables)\n    grads = [hvd.allreduce(g) for g in grads]\n"),
        ("    tape = hvd.DistributedGradientTape(tape)\n    grads = tape.gradient(loss, model.trainable_variables)\n",
         "    grads = hvd.grouped_allreduce(tape.gradient(loss, model.trainable_variables))\n"),
        ("model.variables, root", "model.trainable_weights, root"),
        ("    if batch == 0:\n        hvd.broadcast_variables(model.variables, root_rank=0)\n        hvd.broadcast_variables(opt.variables(), root_rank=0)\n",
         "    if not done:\n        for part in (model.variables, opt.variables()):\n            hvd.broadcast_variables(part, 0)\n        done = True\n"),
    ],
)  # fmt: skip
def test_tapes_and_broadcasts_of_many_spellings(old: str, new: str) -> None:
    assert old in TAPES
    assert migrate(TAPES.replace(old, new)).skipped == ALREADY_HOROVOD


@pytest.mark.parametrize(
    "lines",
    [
        'if hvd.rank() == 0:\n    model.save("m.h5")\n',
        'if not hvd.rank():\n    model.save("m.h5")\n',
        'if hvd.rank() != 0:\n    raise SystemExit\nmodel.save("m.h5")\n',
        'is_chief = hvd.rank() == 0\nif is_chief and len(x) > 1:\n    model.save("m.h5")\n',
        'hvd.rank() == 0 and model.save("m.h5")\n',
        'if hvd.local_rank() == 0:\n    model.save("m.h5")\n',
        'model.save(f"m-{hvd.rank()}.h5")\n',
        'with open("log-%d.txt" % hvd.rank(), "w") as log:\n    log.write("done")\n',
        'print("worker", hvd.rank(), "is done")\n',
        "model.summary()\n",  # many lines, no harm
        "def is_chief():\n    return hvd.rank() == 0\n\n\nif is_chief():\n    model.save('m.h5')\n",
    ],
)
def test_what_one_worker_writes_is_left_to_it(lines: str) -> None:
    assert migrate(WHOLE + lines).skipped == ALREADY_HOROVOD


@pytest.mark.parametrize(
    "lines",
    [
        'model.save("m.h5")\n',
        'for step in range(2):\n    if step == 0:\n        np.save("x.npy", x)\n',
        'if x[0, 0] > 0:\n    model.save("m.h5")\n',  # a value of the worker's own share
    ],
)
def test_what_all_workers_write_is_missing_a_guard(lines: str) -> None:
    assert missing(migrate(WHOLE + lines)) == ["D203"]
    assert "if hvd.rank() == 0" in completed(WHOLE + lines)


@pytest.mark.parametrize(
    ("fit", "expected"),
    [
        (f"callbacks = [{BROADCAST}]\nif hvd.rank() == 0:\n"
         "    callbacks.append(tf.keras.callbacks.ModelCheckpoint('m.h5'))\n"
         f"model.fit(x, y, callbacks=callbacks, {QUIET})\n", []),
        (f"callbacks = [{BROADCAST}, {METRICS}, tf.keras.callbacks.EarlyStopping()]\n"
         f"model.fit(x, y, callbacks=callbacks, {QUIET})\n", []),
        (f"callbacks = [{BROADCAST}, tf.keras.callbacks.EarlyStopping()]\n"
         f"model.fit(x, y, callbacks=callbacks, {QUIET})\n", ["D302"]),
        (f"model.fit(x, y, callbacks=[{METRICS}], {QUIET})\n", ["D302"]),
        (f"callbacks = [{BROADCAST}]\ncallbacks.append(tf.keras.callbacks.ModelCheckpoint('m.h5'))\n"
         f"model.fit(x, y, callbacks=callbacks, {QUIET})\n", ["D302"]),
        (FIT + f"model.fit(x, y, {QUIET})\n", []),  # the first one has brought them together
        (f"model.build((None, 4))\nhvd.broadcast_variables(model.variables, 0)\nmodel.fit(x, y, {QUIET})\n", []),
        (FIT.replace(", verbose=1 if hvd.rank() == 0 else 0", ""), []),  # bars are a matter of taste
        (f"warm = hvd.callbacks.LearningRateWarmupCallback(initial_lr=0.001 * hvd.size())\n"
         f"model.fit(x, y, callbacks=[{BROADCAST}, {METRICS}, warm], {QUIET})\n", []),
        (f"warm = hvd.callbacks.LearningRateWarmupCallback(initial_lr=0.001)\n"
         f"model.fit(x, y, callbacks=[{BROADCAST}, {METRICS}, warm], {QUIET})\n", ["D104"]),
    ],
)  # fmt: skip
def test_callbacks_that_are_there_count(fit: str, expected: list[str]) -> None:
    text = WHOLE.replace(FIT, fit)
    assert missing(migrate(text)) == expected
    after = completed(text)
    assert after.count(BROADCAST) <= 1
    assert after.count(METRICS) <= 1


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (".shard(hvd.size(), hvd.rank()).batch(2)", ".repeat().shuffle(8).batch(2).take(8 // hvd.size())", []),
        (".shard(hvd.size(), hvd.rank()).batch(2)", ".shuffle(8, seed=hvd.rank()).batch(2)", ["D107"]),
        (".shard(hvd.size(), hvd.rank())", ".apply(lambda ds: ds.shard(hvd.size(), hvd.rank()))", []),
        ("(np.ones((8, 4)), np.ones((8, 1)))).shard(hvd.size(), hvd.rank())", "(np.ones((8, 4))[hvd.rank()::hvd.size()], np.ones((8, 1))[hvd.rank()::hvd.size()]))", []),
    ],
)  # fmt: skip
def test_data_that_is_shared_out_is_not_shared_again(
    old: str, new: str, expected: list[str]
) -> None:
    text = TAPES.replace(old, new)
    assert missing(migrate(text)) == expected
    completed(text)


@pytest.mark.parametrize(
    "fit",
    [
        f"model.fit(x, y, epochs=12 // hvd.size(), callbacks=[{BROADCAST}], {QUIET})\n",
        f"model.fit(batches(hvd.rank()), steps_per_epoch=4 // hvd.size(), callbacks=[{BROADCAST}], {QUIET})\n",
        f"model.fit(np.array_split(x, hvd.size())[hvd.rank()], np.array_split(y, hvd.size())[hvd.rank()], callbacks=[{BROADCAST}], {QUIET})\n",
    ],
)
def test_data_of_fit_that_is_shared_out_in_other_ways(fit: str) -> None:
    text = WHOLE.replace(SHARES, "").replace(FIT, fit)
    text = text.replace(
        DATA, DATA + "def batches(rank):\n    while True:\n        yield x[rank::2], y[rank::2]\n"
    )
    assert migrate(text).skipped == ALREADY_HOROVOD


@pytest.mark.parametrize("made", ["from models import model\n", "model = build()\n", ""])
def test_a_model_of_unknown_make_is_known_by_its_name(made: str) -> None:
    text = TAPES.replace(MODEL, made)
    assert migrate(text).skipped == ALREADY_HOROVOD
    other = text.replace("variables(model.variables", "variables(other.variables")
    assert missing(migrate(other)) == ["D202"]
    completed(other)


def test_a_second_model_that_nobody_broadcasts_is_missing_it() -> None:
    other = LOOP[: LOOP.index("    if batch")].replace("model", "other").replace("opt.", "second.")
    text = TAPES + MODEL.replace("model", "other") + ADAM.replace("opt", "second", 1) + other
    assert missing(migrate(text)) == ["D202"]
    after = completed(text)
    assert after.count("hvd.broadcast_variables(model.variables") == 1
    assert after.count("hvd.broadcast_variables(other.variables") == 1


UNKNOWN_FORMS = [
    (WHOLE.replace(COMPILE, "plain = tf.keras.optimizers.Adam(0.001 * hvd.size())\n"
                   'model.compile(plain if len(x) else opt, "mse")\n'), 14),
    (WHOLE + "import horovod.tensorflow.elastic\n@hvd.elastic.run\ndef train(state):\n    pass\n", 16),
    (WHOLE.replace("(opt)", "(opt, op=hvd.Adasum)"), 12),
    (WHOLE.replace("import horovod.tensorflow.keras as hvd\n",
                   "try:\n    import horovod.tensorflow.keras as hvd\nexcept ImportError:\n    hvd = None\n"), 8),
    (WHOLE.replace("import horovod.tensorflow.keras as hvd\n",
                   "try:\n    import horovod.tensorflow.keras as hvd\nexcept ImportError:\n    import horovod.torch as hvd\n"), 6),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line"), UNKNOWN_FORMS)
def test_a_whole_program_of_unknown_form_is_left_alone_with_a_remark(text: str, line: int) -> None:
    """Nothing has to be completed, so that nothing is in the way of it."""
    migration = migrate(text)
    assert migration.skipped == ALREADY_HOROVOD
    assert not migration.blocked
    assert ("P03", line) in [(note.code, note.line) for note in migration.notes]


@pytest.mark.parametrize(("text", "line"), UNKNOWN_FORMS)
def test_the_same_by_half_is_refused(text: str, line: int) -> None:
    half = text.replace(BROADCAST, "tf.keras.callbacks.TerminateOnNaN()").replace(
        "@hvd.elastic.run", "@hvd.elastic.Run"
    )
    assert migrate(half).blocked
    assert migrate(half).after == half


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (WHOLE.replace(ADAM, ADAM + "plain = opt\n").replace("compile(opt", "compile(plain"), 14),
        (WHOLE.replace(f"[{BROADCAST}]", "make_callbacks()"), 14),
        (WHOLE.replace(SHARES, "").replace("hvd.init()\n", "if len(np.ones(3)) > 1:\n    hvd.init()\n"), 6),
        (WHOLE.replace(SHARES, "").replace("hvd.init()\n", "setup(hvd)\n"), 5),
        (TAPES.replace(".shard(hvd.size(), hvd.rank())", ".shard(hvd.size(), 0)"), 9),
        (TAPES.replace(ADAM, ADAM + WRAP).replace("    tape = hvd.DistributedGradientTape(tape)\n", ""), 17),
        (WHOLE.replace(SHARES, "joined = hvd.reducescatter(y)\n"), 9),
    ],
)  # fmt: skip
def test_what_is_not_understood_is_refused_by_name(text: str, line: int) -> None:
    assert ("P03", line) in refused(text)  # what stands on it may be named, too
    assert migrate(text).after == text


@pytest.mark.parametrize(
    "wrap",
    [
        "opt = hvd.DistributedOptimizer(opt) if hvd.size() > 1 else opt\n",
        "if hvd.size() > 1:\n    opt = hvd.DistributedOptimizer(opt)\n",
        "many = hvd.size() > 1\nopt = hvd.DistributedOptimizer(opt) if many else opt\n",
    ],
)
def test_what_is_wrapped_where_there_are_many_workers_is_wrapped(wrap: str) -> None:
    text = WHOLE.replace(WRAP, wrap)
    assert wrap in text
    migration = migrate(text)
    assert (migration.skipped, migration.notes) == (ALREADY_HOROVOD, ())
    half = migrate(text.replace(BROADCAST, ""))
    assert half.after.count("hvd.DistributedOptimizer") == 1
    partly = migrate(text.replace("hvd.size() > 1", "len(x) > 1").replace(BROADCAST, ""))
    assert "P03" in [found.code for found in partly.blocked]


def test_a_flag_of_pythons_in_a_graph_is_refused() -> None:
    text = (HAZARDS.parent / "published" / "python_flag.py").read_text(encoding="utf-8")
    assert refused(text) == [("H16", 24)]


def test_a_start_in_main_counts_and_what_comes_before_is_refused() -> None:
    body = WHOLE[WHOLE.index("hvd.init()") :]
    head = WHOLE[: WHOLE.index("hvd.init()")]
    inside = (
        "def main():\n" + "".join(f"    {line}\n" for line in body.splitlines()) + "\n\nmain()\n"
    )
    assert migrate(head + inside).skipped == ALREADY_HOROVOD
    early = head + "base = tf.keras.optimizers.Adam(0.001)\n"
    early += inside.replace("    " + ADAM, "").replace(
        "DistributedOptimizer(opt", "DistributedOptimizer(base"
    )
    assert ("P03", 5) in refused(early)


def test_the_pinning_goes_behind_a_start_in_main() -> None:
    body = WHOLE[WHOLE.index("hvd.init()") :].replace(PIN, "")
    inside = (
        "def main():\n" + "".join(f"    {line}\n" for line in body.splitlines()) + "\n\nmain()\n"
    )
    after = completed(WHOLE[: WHOLE.index("hvd.init()")] + inside)
    assert '    hvd.init()\n    gpus = tf.config.list_physical_devices("GPU")\n' in after


def test_a_fixed_gpu_goes() -> None:
    text = WHOLE.replace(PIN, 'import os\n\nos.environ["CUDA_VISIBLE_DEVICES"] = "0"\n')
    assert missing(migrate(text)) == ["D102", "D103"]
    assert "CUDA_VISIBLE_DEVICES" not in completed(text)


def test_the_other_module_of_horovod_is_taken_where_it_serves() -> None:
    """A loop needs `horovod.tensorflow`, callbacks need `horovod.tensorflow.keras`."""
    tape = TAPES.replace("horovod.tensorflow as", "horovod.tensorflow.keras as")
    tape = tape.replace("    tape = hvd.DistributedGradientTape(tape)\n", "")
    tape = tape[: tape.index("    if batch")]
    after = completed(tape)
    assert "import horovod.tensorflow as hvd_tf\n" in after
    assert "hvd_tf.DistributedGradientTape(tape)" in after
    keras = WHOLE.replace("horovod.tensorflow.keras as", "horovod.tensorflow as")
    after = completed(keras.replace(f"callbacks=[{BROADCAST}], ", ""))
    assert "import horovod.tensorflow.keras as hvd_keras\n" in after
    assert "hvd_keras.callbacks.BroadcastGlobalVariablesCallback(0)" in after


def test_a_bar_goes_along_with_what_is_completed() -> None:
    sent = "model.build((None, 4))\nhvd.broadcast_variables(model.variables, 0)\n"
    fit = sent + "model.fit(x, y)\n"
    text = WHOLE.replace(FIT, fit).replace(" * hvd.size()", "")
    assert "model.fit(x, y, verbose=1 if hvd.rank() == 0 else 0)\n" in completed(text)


def test_other_names_of_horovod_are_kept() -> None:
    text = WHOLE.replace(WRAP, "").replace("hvd", "horovod_")
    assert "opt = horovod_.DistributedOptimizer(opt)\n" in completed(text)


def test_sessions_that_lack_nothing_are_left_alone() -> None:
    found = {
        path.parent.name: migrate(path.read_text(encoding="utf-8"))
        for path in HAZARDS.glob("session_*/*.py")
    }
    assert all(migration.skipped for name, migration in found.items() if "without" not in name)


def test_what_only_asks_horovod_trains_nothing() -> None:
    assert (
        migrate("import horovod.tensorflow as hvd\nprint(hvd.rank())\n").skipped == ALREADY_HOROVOD
    )


def test_every_note_names_a_rule_with_its_place() -> None:
    half = WHOLE.replace(" * hvd.size()", "")
    (note,) = [note for note in migrate(half).notes if note.code == "P02"]
    assert (note.line, note.severity) == (11, "note")
    assert note.message == f"Horovod by half: {NEEDS['D104'].without}"
    assert note.fix == "`distify migrate` completes it (D104 scale-learning-rate)"


SCHEDULED = """import numpy as np
import tensorflow as tf


class Decay(tf.keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, rate):
        self.rate = rate

    def __call__(self, step):
        return self.rate / (step + 1)

    def get_config(self):
        return {"rate": self.rate}


model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(Decay(0.1))
model.compile(opt, "mse")
model.fit(np.ones((8, 4)), np.ones((8, 1)))
"""


def test_a_schedule_that_is_set_behind_the_wrapper_is_scaled_once() -> None:
    after = migrate(SCHEDULED).after
    assert "opt.learning_rate = Decay(0.1)  #" in after
    assert after.count("* hvd.size()") == 1
    assert migrate(after).skipped == "already Horovod"
