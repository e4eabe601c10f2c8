"""Sessions of eager programs that only let the memory grow go: Horovod's own lines do that."""

from __future__ import annotations

import textwrap

import pytest

from distify.codemods.migrate import migrate

FIT = """\
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x, y)
"""
LAST = 'tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")\n'
CONFIG = """
    config = tf.compat.v1.ConfigProto()
    config.gpu_options.allow_growth = True
    """
IDLE = {
    "interactive": CONFIG + "session = tf.compat.v1.InteractiveSession(config=config)",
    "plain": CONFIG + "sess = tf.compat.v1.Session(config=config)",
    "without a name": CONFIG + "tf.compat.v1.InteractiveSession(config=config)",
    "without a configuration": "tf.compat.v1.InteractiveSession()",
    "imported by name": """
        from tensorflow.compat.v1 import ConfigProto
        from tensorflow.compat.v1 import InteractiveSession

        config = ConfigProto()
        config.gpu_options.allow_growth = True
        session = InteractiveSession(config=config)
        """,
    "for Keras": CONFIG
    + "tf.compat.v1.keras.backend.set_session(tf.compat.v1.Session(config=config))",
    "for Keras, by name": CONFIG
    + "sess = tf.compat.v1.Session(config=config)\n    tf.compat.v1.keras.backend.set_session(sess)",
    "options": """
        gpu_options = tf.compat.v1.GPUOptions(allow_growth=True)
        config = tf.compat.v1.ConfigProto(gpu_options=gpu_options, allow_soft_placement=True)
        config.log_device_placement = False
        session = tf.compat.v1.Session(config=config)
        """,
}
BUSY = {
    "it runs something": CONFIG
    + "sess = tf.compat.v1.Session(config=config)\n    print(sess.run(loss))",
    "something is asked in the default session": CONFIG
    + "sess = tf.compat.v1.InteractiveSession(config=config)\n    print(loss.eval())",
    "a program of graphs": "tf.compat.v1.disable_eager_execution()\n    "
    "sess = tf.compat.v1.InteractiveSession()",
    "a program of graphs and nothing newer": "tf.compat.v1.disable_v2_behavior()\n    "
    "sess = tf.compat.v1.InteractiveSession()",
    "memory that ends somewhere": """
        config = tf.compat.v1.ConfigProto()
        config.gpu_options.per_process_gpu_memory_fraction = 0.5
        sess = tf.compat.v1.InteractiveSession(config=config)
        """,
    "it is handed on": CONFIG + "start(tf.compat.v1.Session(config=config))",
    "it is read": CONFIG + "sess = tf.compat.v1.Session(config=config)\n    keep = sess.graph",
}


def program(lines: str) -> str:
    """A program that trains with Keras behind the lines."""
    return "import tensorflow as tf\n" + textwrap.dedent("    " + lines.lstrip()) + "\n" + FIT


@pytest.mark.parametrize("lines", IDLE.values(), ids=IDLE)
def test_a_session_that_runs_nothing_goes(lines: str) -> None:
    found = migrate(program(lines.lstrip("\n ").replace("\n        ", "\n    ")))
    assert not found.blocked
    rest = found.after.partition(LAST)[2].partition("model = ")[0]
    assert rest.strip() == ""
    assert "v1" not in found.after


@pytest.mark.parametrize("lines", BUSY.values(), ids=BUSY)
def test_others_are_as_before(lines: str) -> None:
    found = migrate(program(lines.lstrip("\n ").replace("\n        ", "\n    ")))
    assert found.blocked


def test_a_name_of_another_scope_is_no_use_of_it() -> None:
    lines = "config = tf.compat.v1.ConfigProto()\nconfig.gpu_options.allow_growth = True\n"
    lines += "session = tf.compat.v1.InteractiveSession(config=config)\n\n\n"
    lines += "def load(config):\n    session = config['a']\n    return session + config['b']\n\n\n"
    found = migrate("import tensorflow as tf\n\n" + lines + FIT)
    assert not found.blocked
    assert "v1" not in found.after


def test_in_a_function_a_pass_is_left() -> None:
    lines = "def grow():\n    config = tf.compat.v1.ConfigProto()\n"
    lines += "    config.gpu_options.allow_growth = True\n"
    lines += "    session = tf.compat.v1.InteractiveSession(config=config)\n\n\ngrow()\n"
    found = migrate("import tensorflow as tf\n\n\n" + lines + FIT)
    assert not found.blocked
    assert "def grow():\n    pass\n" in found.after
