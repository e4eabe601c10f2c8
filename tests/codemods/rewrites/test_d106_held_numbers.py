"""A number of steps that all readers of a name would divide alike is divided where the name gets it."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Options

PROGRAM = """\
{above}import tensorflow as tf

x = tf.ones((100, 3))
data = tf.data.Dataset.from_tensor_slices(x).shuffle(100).repeat().batch(4)
model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
optimizer = tf.keras.optimizers.SGD(0.1)
{made}
total = 0.0
for step, batch in enumerate(data.take(steps)):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(batch) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    total += loss
{read}
"""
MADE, READ = "steps = len(x) // 4 * 2", "print(total / steps)"
DIVIDED = "steps = max(1, len(x) // 4 * 2 // hvd.size())\n"
TAKEN = "data.take(max(1, steps // hvd.size()))"


def after(made: str = MADE, read: str = READ, above: str = "", text: str = PROGRAM) -> str:
    found = migrate(text.format(made=made, read=read, above=above), Options(width=120))
    assert not found.blocked
    assert not migrate(found.after).steps
    return found.after


@pytest.mark.parametrize(
    "read",
    [
        READ,
        "print(total / steps)\nprint('mean', total / steps)",
    ],
)
def test_all_readers_take_a_share(read: str) -> None:
    found = after(read=read)
    assert DIVIDED in found
    assert "data.take(steps)" in found
    assert "total / steps)" in found


def test_the_field_of_a_text_that_shows_it_is_a_reader() -> None:
    shown = PROGRAM.replace("    total += loss\n", "    print(f'{{step}}/{{steps}} {{loss}}')\n")
    found = after(read="", text=shown)
    assert DIVIDED in found
    assert "data.take(steps)" in found
    assert "f'{step}/{steps} {loss}'" in found


@pytest.mark.parametrize(
    ("made", "read", "above"),
    [
        (MADE, f"{READ}\nprint(steps)", ""),  # one that is to see the number of one device
        (MADE, "", ""),  # a single reader takes its share itself
        (f"steps = 4\n{MADE}", READ, ""),
        ("steps, other = 50, 1", READ, ""),
        ("", READ, "steps = 50\n"),  # Horovod is not started there yet
    ],
    ids=["read otherwise", "read once", "bound twice", "taken from several", "before the start"],
)
def test_else_readers_divide_by_themselves(made: str, read: str, above: str) -> None:
    found = after(made, read, above)
    assert TAKEN in found
    assert "steps = max" not in found


def test_a_function_that_may_run_before_others_keeps_the_number_of_the_module() -> None:
    head, _, loop = PROGRAM.partition("{made}\n")
    lines = "".join(f"    {line}\n" for line in loop.format(read=READ).splitlines())
    found = after(text=f"{head}{{made}}\n\n\ndef train():\n{lines}\n\ntrain()\n")
    assert TAKEN in found
    assert f"{MADE}\n" in found


def test_the_number_of_a_function_is_divided_in_it() -> None:
    head, _, loop = PROGRAM.partition("{made}\n")
    lines = "".join(f"    {line}\n" for line in (MADE + "\n" + loop.format(read=READ)).splitlines())
    assert f"    {DIVIDED}" in after(text=f"{head}\n\ndef train():\n{lines}\n\ntrain()\n")
