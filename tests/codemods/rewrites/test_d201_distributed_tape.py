"""A tape is wrapped if, and only if, its gradients are applied."""

from __future__ import annotations

import textwrap

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Migration, Options

HEAD = """\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
critic = tf.keras.Sequential([tf.keras.layers.Dense(1)])
x = tf.ones([2, 1])
w = tf.Variable(1.0)
opt = tf.keras.optimizers.SGD(0.1)
other = tf.keras.optimizers.SGD(0.1)
# head
"""


def outcome(snippet: str) -> Migration:
    """The migration of the snippet as a part of a program."""
    text = HEAD + textwrap.dedent(snippet).strip("\n ") + "\n"
    return migrate(text, Options(unsound=True, width=88, select=frozenset({"D201"})))


def taped(snippet: str) -> str:
    """What becomes of the snippet."""
    found = outcome(snippet)
    assert not found.blocked
    return found.after.partition("# head\n")[2].rstrip("\n")


CASES = {
    "after the block": (
        """
        with tf.GradientTape() as tape:
            loss = model(x)
        grads = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(grads, model.trainable_variables))
        """,
        """
        with tf.GradientTape() as tape:
            loss = model(x)
        tape = hvd.DistributedGradientTape(tape)
        grads = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(grads, model.trainable_variables))
        """,
    ),
    "one of two tapes": (
        """
        if x:
            with tf.GradientTape() as tape: loss = w * w
        else:
            with tf.GradientTape() as tape: loss = w * w * w
        grads = tape.gradient(loss, [w])
        opt.apply_gradients(zip(grads, [w]))
        """,
        """
        if x:
            with tf.GradientTape() as tape: loss = w * w
        else:
            with tf.GradientTape() as tape: loss = w * w * w
        grads = hvd.DistributedGradientTape(tape).gradient(loss, [w])
        opt.apply_gradients(zip(grads, [w]))
        """,
    ),
    "one of two tapes, one of them asked before": (
        """
        with tf.GradientTape() as tape: loss = w * w
        opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
        if x:
            with tf.GradientTape() as tape: loss = w * w * w
        opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
        """,
        """
        with tf.GradientTape() as tape: loss = w * w
        opt.apply_gradients(zip(hvd.DistributedGradientTape(tape).gradient(loss, [w]), [w]))
        if x:
            with tf.GradientTape() as tape: loss = w * w * w
        opt.apply_gradients(zip(hvd.DistributedGradientTape(tape).gradient(loss, [w]), [w]))
        """,
    ),
    "a tape in each arm": (
        """
        if x:
            with tf.GradientTape() as tape: loss = w * w
            grads = tape.gradient(loss, [w])
        else:
            with tf.GradientTape() as tape: loss = w * w * w
            grads = tape.gradient(loss, [w])
        opt.apply_gradients(zip(grads, [w]))
        """,
        """
        if x:
            with tf.GradientTape() as tape: loss = w * w
            tape = hvd.DistributedGradientTape(tape)
            grads = tape.gradient(loss, [w])
        else:
            with tf.GradientTape() as tape: loss = w * w * w
            tape = hvd.DistributedGradientTape(tape)
            grads = tape.gradient(loss, [w])
        opt.apply_gradients(zip(grads, [w]))
        """,
    ),
    "asked in the call": (
        """
        with tf.GradientTape() as tape: loss = w * w
        opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
        """,
        """
        with tf.GradientTape() as tape: loss = w * w
        tape = hvd.DistributedGradientTape(tape)
        opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
        """,
    ),
    "two tapes of one block": (
        """
        with tf.GradientTape() as one, tf.GradientTape() as two:
            a, b = model(x), critic(x)
        g = one.gradient(a, model.trainable_variables)
        h = two.gradient(b, critic.trainable_variables)
        opt.apply_gradients(zip(g, model.trainable_variables))
        other.apply_gradients(zip(h, critic.trainable_variables))
        """,
        """
        with tf.GradientTape() as one, tf.GradientTape() as two:
            a, b = model(x), critic(x)
        one = hvd.DistributedGradientTape(one)
        two = hvd.DistributedGradientTape(two)
        g = one.gradient(a, model.trainable_variables)
        h = two.gradient(b, critic.trainable_variables)
        opt.apply_gradients(zip(g, model.trainable_variables))
        other.apply_gradients(zip(h, critic.trainable_variables))
        """,
    ),
    "a persistent tape once": (
        """
        with tf.GradientTape(persistent=True) as tape:
            a, b = model(x), critic(x)
        g = tape.gradient(a, model.trainable_variables)
        h = tape.gradient(b, critic.trainable_variables)
        opt.apply_gradients(zip(g, model.trainable_variables))
        other.apply_gradients(zip(h, critic.trainable_variables))
        """,
        """
        with tf.GradientTape(persistent=True) as tape:
            a, b = model(x), critic(x)
        tape = hvd.DistributedGradientTape(tape)
        g = tape.gradient(a, model.trainable_variables)
        h = tape.gradient(b, critic.trainable_variables)
        opt.apply_gradients(zip(g, model.trainable_variables))
        other.apply_gradients(zip(h, critic.trainable_variables))
        """,
    ),
    "a persistent tape that is deleted in the end": (
        """
        with tf.GradientTape(persistent=True) as tape:
            a, b = model(x), critic(x)
        g = tape.gradient(a, model.trainable_variables)
        h = tape.gradient(b, critic.trainable_variables)
        del tape
        opt.apply_gradients(zip(g, model.trainable_variables))
        other.apply_gradients(zip(h, critic.trainable_variables))
        """,
        """
        with tf.GradientTape(persistent=True) as tape:
            a, b = model(x), critic(x)
        tape = hvd.DistributedGradientTape(tape)
        g = tape.gradient(a, model.trainable_variables)
        h = tape.gradient(b, critic.trainable_variables)
        del tape
        opt.apply_gradients(zip(g, model.trainable_variables))
        other.apply_gradients(zip(h, critic.trainable_variables))
        """,
    ),
    "a persistent tape that also looks at the inputs": (
        """
        with tf.GradientTape(persistent=True) as tape:
            loss = model(x)
        shown = tape.gradient(loss, x)
        grads = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(grads, model.trainable_variables))
        """,
        """
        with tf.GradientTape(persistent=True) as tape:
            loss = model(x)
        shown = tape.gradient(loss, x)
        grads = hvd.DistributedGradientTape(tape).gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(grads, model.trainable_variables))
        """,
    ),
    "the outer one of a penalty": (
        """
        with tf.GradientTape() as tape:
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = critic(x)
            slope = inner.gradient(y, x)
            loss = tf.reduce_mean(slope**2)
        grads = tape.gradient(loss, critic.trainable_variables)
        opt.apply_gradients(zip(grads, critic.trainable_variables))
        """,
        """
        with tf.GradientTape() as tape:
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = critic(x)
            slope = inner.gradient(y, x)
            loss = tf.reduce_mean(slope**2)
        tape = hvd.DistributedGradientTape(tape)
        grads = tape.gradient(loss, critic.trainable_variables)
        opt.apply_gradients(zip(grads, critic.trainable_variables))
        """,
    ),
    "in a function that returns a loss with a penalty, too": (
        """
        def penalty():
            with tf.GradientTape() as inner:
                y = critic(x)
            return inner.gradient(y, x)
        def compute():
            with tf.GradientTape() as tape:
                loss = critic(x) + penalty()
            return loss, tape.gradient(loss, critic.trainable_variables)
        loss, grads = compute()
        opt.apply_gradients(zip(grads, critic.trainable_variables))
        """,
        """
        def penalty():
            with tf.GradientTape() as inner:
                y = critic(x)
            return inner.gradient(y, x)
        def compute():
            with tf.GradientTape() as tape:
                loss = critic(x) + penalty()
            tape = hvd.DistributedGradientTape(tape)
            return loss, tape.gradient(loss, critic.trainable_variables)
        loss, grads = compute()
        opt.apply_gradients(zip(grads, critic.trainable_variables))
        """,
    ),
    "clipped and scaled": (
        """
        with tf.GradientTape() as tape:
            loss = model(x)
        grads = tape.gradient(loss, model.trainable_variables)
        grads, norm = tf.clip_by_global_norm(grads, 1.0)
        pairs = [(g * 2, v) for g, v in zip(grads, model.trainable_variables)]
        opt.apply_gradients(grads_and_vars=pairs)
        """,
        """
        with tf.GradientTape() as tape:
            loss = model(x)
        tape = hvd.DistributedGradientTape(tape)
        grads = tape.gradient(loss, model.trainable_variables)
        grads, norm = tf.clip_by_global_norm(grads, 1.0)
        pairs = [(g * 2, v) for g, v in zip(grads, model.trainable_variables)]
        opt.apply_gradients(grads_and_vars=pairs)
        """,
    ),
    "accumulated": (
        """
        total = [tf.Variable(0.0)]
        def add():
            with tf.GradientTape() as tape:
                loss = w * w
            for sum_, g in zip(total, tape.gradient(loss, [w])):
                sum_.assign_add(g)
        def flush():
            opt.apply_gradients(zip(total, [w]))
        add()
        flush()
        """,
        """
        total = [tf.Variable(0.0)]
        def add():
            with tf.GradientTape() as tape:
                loss = w * w
            tape = hvd.DistributedGradientTape(tape)
            for sum_, g in zip(total, tape.gradient(loss, [w])):
                sum_.assign_add(g)
        def flush():
            opt.apply_gradients(zip(total, [w]))
        add()
        flush()
        """,
    ),
    "given to a function": (
        """
        def ask(tape, loss):
            return tape.gradient(loss, model.trainable_variables)
        with tf.GradientTape() as tape:
            loss = model(x)
        opt.apply_gradients(zip(ask(tape, loss), model.trainable_variables))
        """,
        """
        def ask(tape, loss):
            return hvd.DistributedGradientTape(tape).gradient(loss, model.trainable_variables)
        with tf.GradientTape() as tape:
            loss = model(x)
        opt.apply_gradients(zip(ask(tape, loss), model.trainable_variables))
        """,
    ),
    "given to minimize": (
        """
        with tf.GradientTape() as tape:
            loss = w * w
        opt.minimize(loss, [w], tape=tape)
        """,
        """
        with tf.GradientTape() as tape:
            loss = w * w
        tape = hvd.DistributedGradientTape(tape)
        opt.minimize(loss, [w], tape=tape)
        """,
    ),
    "made before the block": (
        """
        tape = tf.GradientTape()
        with tape:
            loss = w * w
        opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
        """,
        """
        tape = tf.GradientTape()
        with tape:
            loss = w * w
        opt.apply_gradients(zip(hvd.DistributedGradientTape(tape).gradient(loss, [w]), [w]))
        """,
    ),
    "asked for one variable": (
        """
        with tf.GradientTape() as tape:
            loss = w * w
        g = tape.gradient(loss, w)
        opt.apply_gradients([(g, w)])
        """,
        """
        with tf.GradientTape() as tape:
            loss = w * w
        tape = hvd.DistributedGradientTape(tape)
        g = tape.gradient(loss, [w])[0]
        opt.apply_gradients([(g, w)])
        """,
    ),
    "asked while it records: what follows leaves the block": (
        """
        for _ in range(3):
            with tf.GradientTape() as tape:
                loss = w * w

                # now the step
                g = tape.gradient(loss, [w])  # one
                opt.apply_gradients(zip(g, [w]))
        """,
        """
        for _ in range(3):
            with tf.GradientTape() as tape:
                loss = w * w
            tape = hvd.DistributedGradientTape(tape)

            # now the step
            g = tape.gradient(loss, [w])  # one
            opt.apply_gradients(zip(g, [w]))
        """,
    ),
    "persistent and asked while it records": (
        """
        with tf.GradientTape(persistent=True) as tape:
            loss = w * w
            g = tape.gradient(loss, [w])
        opt.apply_gradients(zip(g, [w]))
        """,
        """
        with tf.GradientTape(persistent=True) as tape:
            loss = w * w
            g = hvd.DistributedGradientTape(tape).gradient(loss, [w])
        opt.apply_gradients(zip(g, [w]))
        """,
    ),
    "asked in a block that holds a file, too": (
        """
        with open("log.txt", "a") as f, tf.GradientTape() as tape:
            loss = w * w
            g = tape.gradient(loss, [w])
            opt.apply_gradients(zip(g, [w]))
            f.write(str(float(loss)))
        """,
        """
        with open("log.txt", "a") as f:
            with tf.GradientTape() as tape:
                loss = w * w
            tape = hvd.DistributedGradientTape(tape)
            g = tape.gradient(loss, [w])
            opt.apply_gradients(zip(g, [w]))
            f.write(str(float(loss)))
        """,
    ),
    "asked in a block that holds a file, over lines": (
        """
        with open("log.txt", "a") as f, \\
                tf.GradientTape() as tape:
            loss = w * w
            g = tape.gradient(loss, [w])
            opt.apply_gradients(zip(g, [w]))
        """,
        """
        with open("log.txt", "a") as f, \\
                tf.GradientTape(persistent=True) as tape:
            loss = w * w
            g = hvd.DistributedGradientTape(tape).gradient(loss, [w])
            opt.apply_gradients(zip(g, [w]))
        """,
    ),
    "two tapes that are asked in a block that holds a device, too": (
        """
        with tf.device("/cpu:0"), tf.GradientTape() as one, tf.GradientTape() as two:
            # the losses
            a, b = model(x), critic(x)
            # the gradients
            g = one.gradient(a, model.trainable_variables)
            h = two.gradient(b, critic.trainable_variables)
            opt.apply_gradients(zip(g, model.trainable_variables))
            other.apply_gradients(zip(h, critic.trainable_variables))
        """,
        """
        with tf.device("/cpu:0"):
            # the losses
            with tf.GradientTape() as one, tf.GradientTape() as two:
                a, b = model(x), critic(x)
            # the gradients
            one = hvd.DistributedGradientTape(one)
            two = hvd.DistributedGradientTape(two)
            g = one.gradient(a, model.trainable_variables)
            h = two.gradient(b, critic.trainable_variables)
            opt.apply_gradients(zip(g, model.trainable_variables))
            other.apply_gradients(zip(h, critic.trainable_variables))
        """,
    ),
    "asked in a block that holds a summary writer, too": (
        """
        writer = tf.summary.create_file_writer("logs")
        with tf.GradientTape(persistent=False) as tape, writer.as_default():
            loss = w * w
            g = tape.gradient(loss, w)
            opt.apply_gradients([(g, w)])
            tf.summary.scalar("loss", loss, step=0)
        """,
        """
        writer = tf.summary.create_file_writer("logs")
        with tf.GradientTape(persistent=True) as tape, writer.as_default():
            loss = w * w
            g = hvd.DistributedGradientTape(tape).gradient(loss, [w])[0]
            opt.apply_gradients([(g, w)])
            tf.summary.scalar("loss", loss, step=0)
        """,
    ),
    "asked in a block that holds a device, or a context of one's own, too": (
        """
        with tf.device("/cpu:0"), timer(), tf.GradientTape(False, True) as tape:
            loss = w * w
            if x is not None:
                g = tape.gradient(loss, [w])
                opt.apply_gradients(zip(g, [w]))
        """,
        """
        with tf.device("/cpu:0"), timer(), tf.GradientTape(True, True) as tape:
            loss = w * w
            if x is not None:
                g = hvd.DistributedGradientTape(tape).gradient(loss, [w])
                opt.apply_gradients(zip(g, [w]))
        """,
    ),
    "in a block that holds a file, and asked behind it": (
        """
        with tf.GradientTape() as tape, open("log.txt") as f:
            loss = w * w
        opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
        """,
        """
        with tf.GradientTape() as tape, open("log.txt") as f:
            loss = w * w
        tape = hvd.DistributedGradientTape(tape)
        opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
        """,
    ),
    "in a block within one that holds a file": (
        """
        with open("log.txt", "a") as f:
            with tf.GradientTape() as tape:
                loss = w * w
                g = tape.gradient(loss, [w])
                f.write(str(float(loss)))
        opt.apply_gradients(zip(g, [w]))
        """,
        """
        with open("log.txt", "a") as f:
            with tf.GradientTape() as tape:
                loss = w * w
            tape = hvd.DistributedGradientTape(tape)
            g = tape.gradient(loss, [w])
            f.write(str(float(loss)))
        opt.apply_gradients(zip(g, [w]))
        """,
    ),
    "two tapes of one block, asked while they record": (
        """
        with tf.GradientTape() as one, tf.GradientTape() as two:
            a, b = model(x), critic(x)
            g = one.gradient(a, model.trainable_variables)
            h = two.gradient(b, critic.trainable_variables)
        opt.apply_gradients(zip(g, model.trainable_variables))
        other.apply_gradients(zip(h, critic.trainable_variables))
        """,
        """
        with tf.GradientTape() as one, tf.GradientTape() as two:
            a, b = model(x), critic(x)
        one = hvd.DistributedGradientTape(one)
        two = hvd.DistributedGradientTape(two)
        g = one.gradient(a, model.trainable_variables)
        h = two.gradient(b, critic.trainable_variables)
        opt.apply_gradients(zip(g, model.trainable_variables))
        other.apply_gradients(zip(h, critic.trainable_variables))
        """,
    ),
    "made before the block and asked while it records": (
        """
        tape = tf.GradientTape()
        with tape:
            loss = w * w
            g = tape.gradient(loss, [w])
        opt.apply_gradients(zip(g, [w]))
        """,
        """
        tape = tf.GradientTape(persistent=True)
        with tape:
            loss = w * w
            g = hvd.DistributedGradientTape(tape).gradient(loss, [w])
        opt.apply_gradients(zip(g, [w]))
        """,
    ),
    "two equal blocks": (
        """
        with tf.GradientTape() as tape:
            loss = w * w
        opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
        with tf.GradientTape() as tape:
            loss = w * w
        opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
        """,
        """
        with tf.GradientTape() as tape:
            loss = w * w
        tape = hvd.DistributedGradientTape(tape)
        opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
        with tf.GradientTape() as tape:
            loss = w * w
        tape = hvd.DistributedGradientTape(tape)
        opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
        """,
    ),
    "an inner tape whose gradients had the name of the outer ones": (
        """
        for step in range(3):
            with tf.GradientTape() as outer:
                with tf.GradientTape() as inner:
                    loss = w * w
                grads = inner.gradient(loss, [w])
                after = (w - grads[0]) ** 2
            grads = outer.gradient(after, [w])
            opt.apply_gradients(zip(grads, [w]))
        """,
        """
        for step in range(3):
            with tf.GradientTape() as outer:
                with tf.GradientTape() as inner:
                    loss = w * w
                grads = inner.gradient(loss, [w])
                after = (w - grads[0]) ** 2
            outer = hvd.DistributedGradientTape(outer)
            grads = outer.gradient(after, [w])
            opt.apply_gradients(zip(grads, [w]))
        """,
    ),
    "added to with +=": (
        """
        with tf.GradientTape() as one:
            loss = w * w
        g = one.gradient(loss, [w])
        with tf.GradientTape() as two:
            loss = w * w
        g += two.gradient(loss, [w])
        opt.apply_gradients(zip(g, [w]))
        """,
        """
        with tf.GradientTape() as one:
            loss = w * w
        one = hvd.DistributedGradientTape(one)
        g = one.gradient(loss, [w])
        with tf.GradientTape() as two:
            loss = w * w
        two = hvd.DistributedGradientTape(two)
        g += two.gradient(loss, [w])
        opt.apply_gradients(zip(g, [w]))
        """,
    ),
}


@pytest.mark.parametrize(("before", "after"), CASES.values(), ids=CASES.keys())
def test_it_is_wrapped(before: str, after: str) -> None:
    assert taped(before) == textwrap.dedent(after).strip("\n ")


def test_a_train_step_under_fit_gets_the_tape_of_horovod_s_other_module() -> None:
    found = outcome(
        """
        class Mine(tf.keras.Model):
            def train_step(self, data):
                with tf.GradientTape() as tape:
                    loss = self(data)
                grads = tape.gradient(loss, self.trainable_variables)
                self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
                return {"loss": loss}
        mine = Mine()
        mine.compile(opt)
        mine.fit(x)
        """
    )
    assert "        tape = hvd_tf.DistributedGradientTape(tape)\n" in found.after
    assert "import horovod.tensorflow as hvd_tf\n" in found.after


STEP = """
with tf.GradientTape() as tape:
    loss = w * w
g = tape.gradient(loss, [w])
opt.apply_gradients(zip(g, [w]))
"""
SAME = {
    "only looked at": """
        with tf.GradientTape() as seen:
            y = model(x)
        print(seen.gradient(y, x))
        """,
    "used for an adversary": """
        with tf.GradientTape() as seen:
            seen.watch(x)
            y = model(x)
        x = x + tf.sign(seen.gradient(y, x))
        """,
    "never asked": """
        with tf.GradientTape() as seen:
            y = model(x)
        """,
    "the gradient of numpy": """
        import numpy as np
        slope = np.gradient([1.0, 2.0])
        """,
}


@pytest.mark.parametrize("text", SAME.values(), ids=SAME.keys())
def test_a_tape_that_trains_nothing_stays_plain(text: str) -> None:
    after = taped(textwrap.dedent(text) + STEP)
    assert after.count("DistributedGradientTape") == 1
    assert textwrap.dedent(text).strip("\n ") in after


BLOCKED = {
    "gradients from elsewhere": "opt.apply_gradients(zip(compute(), [w]))",
    "no tape": "opt.apply_gradients(zip(tf.gradients(w * w, [w]), [w]))",
    "unconnected gradients": """
        with tf.GradientTape() as tape:
            loss = w * w
        g = tape.gradient(loss, [w], unconnected_gradients="zero")
        opt.apply_gradients(zip(g, [w]))
        """,
    "lists inside of a list": """
        with tf.GradientTape() as tape:
            loss = model(x)
        g, h = tape.gradient(loss, [model.trainable_variables, critic.trainable_variables])
        opt.apply_gradients(zip(g, model.trainable_variables))
        """,
    "a dictionary": """
        with tf.GradientTape() as tape:
            loss = w * w
        g = tape.gradient(loss, {"w": w})
        opt.apply_gradients([(g["w"], w)])
        """,
    "a jacobian": """
        with tf.GradientTape() as tape:
            loss = w * w
        g = tape.jacobian(loss, [w])
        opt.apply_gradients(zip(g, [w]))
        """,
    "inputs and variables through one function": """
        def ask(target, sources):
            with tf.GradientTape() as tape:
                loss = target(x)
            return tape.gradient(loss, sources)
        slope = ask(model, [x])
        opt.apply_gradients(zip(ask(model, [w]), [w]))
        """,
    "what one tape computed is differentiated by the other of its block": """
        with tf.GradientTape() as one, tf.GradientTape() as two:
            loss = w * w
            g = two.gradient(loss, [w])
            after = (w - g[0]) ** 2
            h = one.gradient(target=after, sources=[w])
        opt.apply_gradients(zip(g, [w]))
        other.apply_gradients(zip(h, [w]))
        """,
    "arguments of a tape that can't be seen, in a block that holds a file": """
        options = {}
        with open("log.txt", "a") as f, tf.GradientTape(**options) as tape:
            loss = w * w
            g = tape.gradient(loss, [w])
        opt.apply_gradients(zip(g, [w]))
        """,
    "asked in a branch while it records": """
        with tf.GradientTape() as tape:
            loss = w * w
            if loss > 0:
                opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
        """,
}


@pytest.mark.parametrize("text", BLOCKED.values(), ids=BLOCKED.keys())
def test_gradients_that_cannot_be_averaged_block_the_file(text: str) -> None:
    found = outcome(text)
    assert "G01" in [finding.code for finding in found.blocked]
    assert found.after == found.before


COMPILED = {
    "XLA": "@tf.function(jit_compile=True)",
    "the older name": "@tf.function(experimental_compile=True)",
    "no AutoGraph": "@tf.function(autograph=False)",
    "not converted": "@tf.autograph.experimental.do_not_convert",
}


@pytest.mark.parametrize("decorator", COMPILED.values(), ids=COMPILED.keys())
def test_a_step_that_horovod_does_not_survive_blocks_the_file(decorator: str) -> None:
    step = f"{decorator}\ndef step():\n{textwrap.indent(STEP.strip(), '    ')}\nstep()\n"
    assert "G02" in [finding.code for finding in outcome(step).blocked]


def test_a_plain_compiled_step_is_fine() -> None:
    step = f"@tf.function\ndef step():\n{textwrap.indent(STEP.strip(), '    ')}\nstep()\n"
    assert not outcome(step).blocked
