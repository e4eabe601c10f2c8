"""An Estimator gets Horovod's hook, a folder on one worker, its share of steps and examples."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

PROGRAM = """\
import numpy as np
import tensorflow.compat.v1 as tf

x = np.random.RandomState(1).rand(64, 3).astype("float32")


def input_fn():
    return tf.data.Dataset.from_tensor_slices((x, x[:, :1])).shuffle(64).repeat().batch(8)


def model_fn(features, labels, mode):
    loss = tf.losses.mean_squared_error(labels, tf.layers.dense(features, 1))
    optimizer = tf.train.AdamOptimizer(0.01)
    train = optimizer.minimize(loss, global_step=tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)


estimator = tf.estimator.Estimator(model_fn)
estimator.train(input_fn, steps=5000)
"""
MADE = "estimator = tf.estimator.Estimator(model_fn)\n"
TRAIN = "estimator.train(input_fn, steps=5000)"
OURS = "hvd.BroadcastGlobalVariablesHook(0)"
HERE = "hvd.rank() == 0"
Edits = tuple[tuple[str, str], ...]


def edited(edits: Edits) -> str:
    text = PROGRAM
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new, 1)
    compile(text, "case", "exec")
    return text


def flat(text: str) -> str:
    joined = "".join(line.strip() + " " * line.rstrip().endswith(",") for line in text.splitlines())
    return joined.replace(", )", ")").replace(", ]", "]")


OWN = "class Own(tf.train.SessionRunHook):\n    pass\n\n\n"
FOLLOWED: dict[str, tuple[Edits, str]] = {
    "as it is": ((), f"train(input_fn, steps=5000 // hvd.size(), hooks=[{OURS}])"),
    "its data": ((), ".shard(hvd.size(), hvd.rank()).shuffle(64)"),
    "a configuration where there is none": (
        (),
        "Estimator(model_fn, config=tf.estimator.RunConfig(session_config=config))",
    ),
    "a configuration": (
        ((MADE, MADE.replace("_fn)", "_fn, config=tf.estimator.RunConfig(tf_random_seed=1))")),),
        "RunConfig(tf_random_seed=1, session_config=config)",
    ),
    "a copy of a configuration, with another one for its sessions": (
        (
            (
                MADE,
                MADE.replace(
                    "_fn)",
                    "_fn, config=tf.estimator.RunConfig().replace(\n"
                    "    session_config=tf.ConfigProto(allow_soft_placement=True)))",
                ),
            ),
        ),
        "tf.estimator.RunConfig().replace(session_config=config)",
    ),
    "a copy of a configuration": (
        (
            (
                MADE,
                MADE.replace(
                    "_fn)", "_fn, config=tf.estimator.RunConfig().replace(tf_random_seed=1))"
                ),
            ),
        ),
        "tf.estimator.RunConfig(session_config=config).replace(tf_random_seed=1)",
    ),
    "a folder": (
        ((MADE, MADE.replace("_fn)", "_fn, 'model')")),),
        f"Estimator(model_fn, 'model' if {HERE} else None, ",
    ),
    "a folder in the configuration": (
        ((MADE, MADE.replace("_fn)", "_fn, config=tf.estimator.RunConfig('model'))")),),
        f"RunConfig('model' if {HERE} else None, ",
    ),
    "hooks": (
        ((TRAIN, "estimator.train(input_fn, [tf.train.StopAtStepHook(last_step=5000)])"),),
        f"[{OURS}, tf.train.StopAtStepHook(last_step=5000 // hvd.size())]",
    ),
    "a last step": (
        ((TRAIN, "estimator.train(input_fn, max_steps=5000)"),),
        f"train(input_fn, steps=5000 // hvd.size(), hooks=[{OURS}])",
    ),
    "a last step that a folder may have reached": (
        (
            (MADE, MADE.replace("_fn)", "_fn, 'model')")),
            (TRAIN, "estimator.train(input_fn, max_steps=5000)"),
        ),
        "last_step = 5000 // hvd.size()"
        f"estimator.train(input_fn, hooks=[{OURS}, tf.train.StopAtStepHook(last_step=last_step)])",
    ),
    "how often it saves": (
        ((MADE, MADE.replace("_fn)", "_fn, config=tf.estimator.RunConfig('m', None, 100, 500))")),),
        "max(1, 500 // hvd.size())",
    ),
    "a last step among hooks": (
        (
            (MADE, OWN + MADE.replace("_fn)", "_fn, 'model')")),
            (TRAIN, "estimator.train(input_fn, [Own()], max_steps=5000)"),
        ),
        f"train(input_fn, [{OURS}, tf.train.StopAtStepHook(last_step=last_step), Own()])",
    ),
    "a last step with a comment": (
        (
            (MADE, MADE.replace("_fn)", "_fn, 'model')")),
            (TRAIN, "estimator.train(\n    input_fn,\n    max_steps=5000,  # all\n)"),
        ),
        "steps=5000 // hvd.size(),  # all",
    ),
    "data of a lambda": (((TRAIN, "estimator.train(lambda: input_fn(), steps=5000)"),), ".shard("),
    "an iterator": (
        ((".batch(8)", ".batch(8).make_one_shot_iterator().get_next()"),),
        ".shard(hvd.size(), hvd.rank())",
    ),
    "queues that go on for ever": (
        (
            (
                TRAIN,
                "estimator.train(tf.estimator.inputs.numpy_input_fn(\n"
                "    x, x[:, :1], shuffle=True, num_epochs=None), steps=5000)",
            ),
        ),
        "steps=5000 // hvd.size()",
    ),
    "hooks of the model": (
        (
            (
                "train_op=train)",
                "train_op=train, training_hooks=[tf.train.LoggingTensorHook([loss], 5)])",
            ),
        ),
        f"training_hooks=[tf.train.LoggingTensorHook([loss], 5)] if {HERE} else []",
    ),
}
REFUSED: dict[str, tuple[Edits, str]] = {
    "training and evaluation in turns": (
        (
            (
                TRAIN,
                "tf.estimator.train_and_evaluate(\n    estimator, tf.estimator.TrainSpec(input_fn),"
                " tf.estimator.EvalSpec(input_fn)\n)",
            ),
        ),
        "in turns by the clock",
    ),
    "a TPU": ((("tf.estimator.Estimator(", "tf.estimator.tpu.TPUEstimator("),), "TPU"),
    "a Keras model": (
        (("tf.estimator.Estimator(model_fn)", "tf.keras.estimator.model_to_estimator(x)"),),
        "makes its optimizer anew",
    ),
    "a ready-made model without an optimizer": (
        (("tf.estimator.Estimator(model_fn)", "tf.estimator.BoostedTreesClassifier([], 1)"),),
        "has an optimizer of its own",
    ),
    "a configuration of another module": (
        (
            ("import numpy", "from other import make\nimport numpy"),
            ("(model_fn)", "(model_fn, config=make())"),
        ),
        "what makes this session",
    ),
    "a model of another module": (
        (
            ("import numpy", "from other import model_fn as made\nimport numpy"),
            ("(model_fn)", "(made)"),
        ),
        "which optimizer takes the steps",
    ),
    "a step of another module": (
        (
            ("import numpy", "from other import create_optimizer\nimport numpy"),
            (
                "optimizer.minimize(loss, global_step=tf.train.get_global_step())",
                "create_optimizer(loss)",
            ),
        ),
        "which optimizer takes the steps",
    ),
    "a step that a table chooses": (
        (("train_op=train)", "train_op=globals()['train'])"),),
        "which optimizer takes the steps",
    ),
    "a model that never trains": (
        ((", train_op=train)", ", train_op=None)"),),
        "which optimizer takes the steps",
    ),
    "hidden arguments": ((("(model_fn)", "(model_fn, **dict())"),), "hands on here"),
    "hidden arguments of train": (
        ((TRAIN, TRAIN.replace("steps=5000", "**{})")[:-1] + ""),),
        "hands on here",
    ),
    "a last step, twice": (
        (
            (
                TRAIN,
                "estimator.train(input_fn, max_steps=9)\nestimator.train(input_fn, max_steps=18)",
            ),
        ),
        "how far an earlier `train` came",
    ),
    "a last step in its place": (
        ((TRAIN, "estimator.train(input_fn, None, None, 5000)"),),
        "how far an earlier `train` came",
    ),
    "a queue that ends": (
        ((TRAIN, "estimator.train(tf.estimator.inputs.numpy_input_fn(x, x, shuffle=True))"),),
        "can't be shared out",
    ),
    "hooks of another module": (
        (("import numpy", "from other import make\nimport numpy"), ("steps=5000", "hooks=make()")),
        "which hooks this session is given",
    ),
    "gradients that no optimizer computes": (
        (
            (
                "optimizer.minimize(loss, global_step=tf.train.get_global_step())",
                "optimizer.apply_gradients(zip(optimizer.get_gradients(loss, []), []))",
            ),
        ),
        "not computed by an optimizer",
    ),
    "no training": (((TRAIN, "estimator.evaluate(input_fn)"),), "what trains this Estimator"),
    "Horovod by half": (
        (("import numpy", "import horovod.tensorflow as hvd\nimport numpy"),),
        "uses Horovod already",
    ),
}


@pytest.mark.parametrize(("edits", "expected"), FOLLOWED.values(), ids=FOLLOWED)
def test_what_can_be_followed_is_rewritten(edits: Edits, expected: str) -> None:
    found = migrate(edited(edits))
    assert found.blocked == ()
    assert expected in flat(found.after)
    assert {"D104", "D105", "D401", "D404"} <= {step.code for step in found.steps}


@pytest.mark.parametrize(("edits", "why"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_followed_is_named(edits: Edits, why: str) -> None:
    found = migrate(edited(edits))
    assert any(why in finding.message for finding in found.blocked), found.blocked
    assert found.after == found.before


def test_data_that_is_evaluated_too_stays_whole() -> None:
    found = migrate(f"{PROGRAM}print(estimator.evaluate(input_fn, steps=9))\n")
    assert found.blocked == ()
    assert ".shard(" not in found.after
    assert "evaluate(input_fn, steps=9)" in found.after


def test_two_trainings_may_be_given_one_list_of_hooks() -> None:
    hooks = "hooks = [tf.train.SummarySaverHook(9), tf.train.ProfilerHook(9)]\n"
    train = TRAIN.replace(")", ", hooks=hooks)")
    found = migrate(edited(((MADE, MADE + hooks), (TRAIN, f"{train}\n{train}"))))
    assert not found.blocked, found.blocked
    assert found.after.count(f"hooks=[{OURS}, *hooks]") == 2
    assert f"hooks = []\nif {HERE}:\n    hooks += [tf.train.Summ" in found.after
    assert found.after.count("hooks.append(") == 0


def test_one_worker_exports_the_model() -> None:
    found = migrate(f"{PROGRAM}estimator.export_saved_model('out', input_fn)\n")
    assert found.blocked == ()
    assert f"if {HERE}:\n    estimator.export_saved_model('out', input_fn)\n" in found.after


def test_a_method_named_train_of_something_else_is_no_estimators() -> None:
    text = "import tensorflow.compat.v1 as tf\nfrom other import thing\nthing.train(tf, steps=9)\n"
    assert migrate(text).steps == ()


DNN = "tf.estimator.DNNClassifier([8], [x]"
WRAPPED = "hvd.DistributedOptimizer"
READY: dict[str, tuple[str, str]] = {
    "left out": (f"{DNN})", f"optimizer={WRAPPED}(tf.train.AdagradOptimizer(0.05 * hvd.size()))"),
    "a name": (
        f"{DNN}, optimizer='SGD')",
        f"optimizer={WRAPPED}(tf.train.GradientDescentOptimizer(0.05 * hvd.size()))",
    ),
    "in its place": (
        f"{DNN}, None, 2, None, None, 'Adam')",
        f"None, {WRAPPED}(tf.train.AdamOptimizer(0.05 * hvd.size())), config=",
    ),
    "a linear model": (
        "tf.estimator.LinearRegressor([x])",
        f"optimizer={WRAPPED}(tf.train.FtrlOptimizer(0.2 * hvd.size()))",
    ),
    "one of two parts": (
        "tf.estimator.DNNLinearCombinedRegressor(dnn_feature_columns=[x], dnn_hidden_units=[8])",
        f"dnn_optimizer={WRAPPED}(tf.train.AdagradOptimizer(0.001 * hvd.size()))",
    ),
    "an optimizer": (
        f"{DNN}, optimizer=tf.train.AdamOptimizer(0.3))",
        "= tf.train.AdamOptimizer(0.3 * hvd.size())",
    ),
    "a function": (
        f"{DNN}, optimizer=lambda: tf.train.AdamOptimizer(0.3))",
        f"lambda: {WRAPPED}(tf.train.AdamOptimizer(0.3 * hvd.size()))",
    ),
}
UNREADY: dict[str, tuple[str, str]] = {
    "an optimizer of another module": (f"{DNN}, optimizer=other.make())", "where this optimizer"),
    "of Keras": (f"{DNN}, optimizer=tf.keras.optimizers.Adam(0.3))", "where this optimizer"),
    "a name of nothing": (f"{DNN}, optimizer='Best')", 'no optimizer has the name "Best"'),
    "TensorFlow 2": (f"v2.{DNN[3:]}, optimizer='Adam')", "in TensorFlow 2 an optimizer of Keras"),
}


def ready(made: str) -> str:
    text = PROGRAM.replace("tf.estimator.Estimator(model_fn)", made)
    return text.replace("import numpy", "import other\nimport tensorflow as v2\nimport numpy")


@pytest.mark.parametrize(("made", "expected"), READY.values(), ids=READY)
def test_the_optimizer_of_a_ready_made_model_is_wrapped(made: str, expected: str) -> None:
    found = migrate(ready(made))
    assert found.blocked == ()
    assert expected in flat(found.after)
    assert "DistributedOptimizer" in found.after
    assert "linear_optimizer" not in found.after


@pytest.mark.parametrize(("made", "reason"), UNREADY.values(), ids=UNREADY)
def test_a_ready_made_model_is_refused_by_the_reason(made: str, reason: str) -> None:
    found = migrate(ready(made))
    assert found.after == ready(made)
    assert any(reason in each.message for each in found.blocked)


def test_two_optimizers_that_a_ready_made_model_lacks_are_made_by_their_classes() -> None:
    found = migrate(
        """\
import tensorflow.compat.v1 as tf

column = tf.feature_column.numeric_column("x")
model = tf.estimator.DNNLinearCombinedClassifier(
    linear_feature_columns=[column],
    dnn_feature_columns=[column],
    dnn_hidden_units=[8],
)


def input_fn():
    data = {"x": [[1.0]] * 64}, [0] * 64
    return tf.data.Dataset.from_tensor_slices(data).repeat().batch(8)


model.train(input_fn, steps=5000)
"""
    )
    assert found.blocked == (), found.blocked
    for part, cls in (("linear", "Ftrl"), ("dnn", "Adagrad")):
        made = f"{part}_optimizer=hvd.DistributedOptimizer(tf.train.{cls}Optimizer("
        assert made in found.after
