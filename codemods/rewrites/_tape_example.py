"""The training step by hand that the rules about it show: as it was, and with what they add."""

from __future__ import annotations

_STEP = """\
import tensorflow as tf
{set_up}
w = tf.Variable(1.0)
opt = tf.keras.optimizers.SGD(0.1)
{beside_optimizer}for _ in range(3):
    with tf.GradientTape() as tape:
        loss = (w - 2.0) ** 2
{behind_tape}    grads = tape.gradient(loss, [w])
    opt.apply_gradients(zip(grads, [w]))
{behind_step}"""
_SET_UP = """
hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
"""
BEFORE = _STEP.format(set_up="", beside_optimizer="", behind_tape="", behind_step="")


def after(beside_optimizer: str = "", behind_tape: str = "", behind_step: str = "") -> str:
    """The step once D101 and D102 are done, with these lines of another rule."""
    return "import horovod.tensorflow as hvd\n" + _STEP.format(
        set_up=_SET_UP,
        beside_optimizer=beside_optimizer,
        behind_tape=behind_tape,
        behind_step=behind_step,
    )
