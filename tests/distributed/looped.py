"""Programs with loops of many forms, each a function `network(x)` over tensors of [8, 6, 4]."""

from __future__ import annotations

HEAD = """\
import tensorflow as tf

L = tf.keras.layers
tf.keras.utils.set_random_seed(1)
w = tf.Variable(tf.random.normal([4, 4], stddev=0.5))
v = tf.Variable(tf.random.normal([4, 4], stddev=0.5))
many = [tf.Variable(tf.random.normal([4, 4], stddev=0.5)) for _ in range(7)]
cell = L.LSTMCell(4)
gru = L.GRUCell(4, recurrent_activation=tf.sigmoid)
attention = L.MultiHeadAttention(2, 4)
dense = [L.Dense(4, activation="tanh") for _ in range(5)]
before = L.Dense(4)
data = tf.random.normal([8, 6, 4])


def f(x, t):
    return tf.tanh(tf.matmul(x, w)) * t

"""

TAIL = """\


def step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(network(data)))
    variables = [w, v, *many, *cell.trainable_variables, *gru.trainable_variables]
    variables += [*attention.trainable_variables, *before.trainable_variables]
    variables += [each for layer in dense for each in layer.trainable_variables]
    return loss, tape.gradient(loss, variables, unconnected_gradients="zero")


optimizer = tf.keras.optimizers.SGD(0.1)


def train(variables):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(network(data)))
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
"""
COMPILED = "\n\ncompiled = tf.function(step)\n"

# What D501 rewrites.
LOOPS = {
    "a list": """
    x = x[:, 0]
    for u in many:
        x = x + tf.tanh(tf.matmul(x, u))  # residual
    return x""",
    "an index": """
    for i in range(len(dense)):
        x = dense[i](x) + x
    return x""",
    "enumerate": """
    for i, u in enumerate(many):
        x = x + tf.tanh(tf.matmul(x, u)) / (i + 1)
    return x""",
    "zip": """
    for u, layer in zip(many, dense):
        x = layer(tf.matmul(x, u))
    return x""",
    "reversed": """
    for u in reversed(many):
        x = tf.sin(tf.matmul(x, u))
    return x""",
    "range by steps": """
    x = x[:, 0]
    for t in range(10, 0, -3):
        x = x + f(x, t)
    return x""",
    "a range of the graph": """
    x = x[:, 0]
    for i in tf.range(7):
        x = x + f(x, tf.cast(i, tf.float32) * 0.1)
        if i % 2 == 1:
            x = tf.sin(x)
    return x""",
    "while": """
    i = 0
    while i < 9:
        x = tf.tanh(tf.matmul(x, w))
        i += 1
    return x""",
    "a clock": """
    t, h = 0.0, 0.01
    for i in range(9):
        # Euler's step
        x = x + h * f(x, t)
        t = t + h  # the clock
    return x * t""",
    "two states": """
    h = tf.zeros([8, 4])
    c = tf.zeros([8, 4])
    for t in range(x.shape[1]):
        _, [h, c] = cell(x[:, t], [h, c])
    return h + c""",
    "a state by hand": """
    h = tf.zeros_like(x[:, 0])
    for t in range(x.shape[1]):
        h = tf.tanh(tf.matmul(x[:, t], w) + tf.matmul(h, v))
    return h""",
    "a dictionary of states": """
    s = {"h": tf.zeros([8, 4]), "c": tf.ones([8, 4])}
    for t in range(x.shape[1]):
        s["h"] = tf.tanh(tf.matmul(x[:, t], w) + s["h"])
        s["c"] = s["c"] * tf.sigmoid(tf.matmul(s["h"], v))
    return s["h"] + s["c"]""",
    "outputs": """
    h = tf.zeros([8, 4])
    outputs = []
    for t in range(x.shape[1]):
        h = tf.tanh(tf.matmul(x[:, t], w) + tf.matmul(h, v))
        outputs.append(h * 2.0)
    return tf.stack(outputs, axis=1)""",
    "outputs of two states": """
    h, c, outputs = tf.zeros([8, 4]), tf.zeros([8, 4]), []
    for t in range(x.shape[1]):
        out, [h, c] = cell(x[:, t], [h, c])
        outputs.append(out)  # kept
    return tf.stack(outputs, axis=1) + tf.reduce_mean(c)""",
    "an early exit": """
    for i, u in enumerate(many):
        if i == 4:
            break
        x = tf.tanh(tf.matmul(x, u))
    return x""",
    "a turn that is passed over": """
    for i in range(7):
        if i % 3 == 1:
            continue
        x = x + f(x, i * 0.1)
    return x""",
    "a loop inside": """
    for u in many:
        y = x
        for k in range(2):
            y = tf.tanh(tf.matmul(y, u)) + y
        x = x + y
    return x""",
    "a branch of numbers": """
    for i in range(6):
        if i % 2:
            x = tf.tanh(tf.matmul(x, w))
        else:
            x = tf.sin(tf.matmul(x, v))
    return x""",
    "attention with a mask": """
    mask = tf.cast(tf.linalg.band_part(tf.ones([6, 6]), -1, 0), tf.bool)
    for layer in dense:
        x = x + attention(x, x, attention_mask=mask)
        x = layer(x)
    return x""",
    "a tensor that all steps read": """
    context = before(x)
    for u in many:
        x = tf.tanh(tf.matmul(x, u) + context)
    return x""",
    "a gradient through the steps": """
    x = before(x)
    h = tf.zeros([8, 4])
    for t in range(x.shape[1]):
        h = tf.tanh(tf.matmul(x[:, t], w) + tf.matmul(h, v))
    return h""",
    "parts of a tensor": """
    h = tf.zeros([8, 4])
    for part in tf.unstack(before(x), axis=1):
        h = tf.tanh(tf.matmul(part, w) + tf.matmul(h, v))
    return h""",
    "parts and outputs": """
    h = tf.zeros([8, 4])
    given = []
    for part in tf.unstack(before(x), axis=1):
        h = tf.tanh(tf.matmul(part, w) + tf.matmul(h, v))
        given.append(h)
    return tf.stack(given)""",
    "a sum": """
    total = 0.0
    for u in many:
        x = tf.tanh(tf.matmul(x, u))
        total += tf.reduce_mean(x)
    return total""",
    "a mask over time": """
    h = tf.zeros([8, 4])
    mask = x[:, :, 0] > 0.0
    for t in range(x.shape[1]):
        new = tf.tanh(tf.matmul(x[:, t], w) + tf.matmul(h, v))
        h = tf.where(mask[:, t, None], new, h)
    return h""",
    "a determinant": """
    a, d = tf.matmul(x[0, :4], w), tf.constant(1.0)
    for i in range(4):
        c = a[i, i]
        row = a[i] / c
        for j in range(i + 1, 4):
            a = tf.tensor_scatter_nd_update(a, [[j]], [a[j] - a[j, i] * row])
        d = d * c
    return d""",
    "a swap": """
    a, b = x, x * 2.0
    for i in range(6):
        with tf.name_scope("swap"):
            a, b = tf.tanh(tf.matmul(b, w)), a
        assert a.shape[-1] == 4
    return a + b""",
    "a tuple of states": """
    state = (tf.zeros([8, 4]), tf.zeros([8, 4]))
    for t in range(6):
        h, c = state
        h = tf.tanh(tf.matmul(x[:, t], w) + h)
        state = (h, c + h)
    return state[1]""",
    "a list of states": """
    hs = [tf.zeros([8, 4]), tf.zeros([8, 4])]
    for t in range(6):
        hs[0] = tf.tanh(tf.matmul(x[:, t], w) + hs[0])
        hs[1] = tf.tanh(tf.matmul(hs[0], v) + hs[1])
    return hs[1]""",
    "weights by their names": """
    g = lambda y, u: tf.tanh(tf.matmul(y, u))
    named = {"a": w, "b": v}
    for name, u in named.items():
        x = g(x, u)
    return x""",
    "a way out in the middle": """
    i = 0
    while True:
        x = tf.tanh(tf.matmul(x, w))
        i += 1
        if i == 9:
            break
    return x""",
    "halting": """
    total = tf.zeros([8, 6, 1])
    out = tf.zeros_like(x)
    for i in range(5):
        x = tf.tanh(tf.matmul(x, w))
        p = tf.sigmoid(tf.reduce_sum(x, -1, True))
        total = total + p
        out = out + p * x
    return out / total""",
    "a line": "\n    for u in many: x = tf.tanh(tf.matmul(x, u))\n    return x",
}


def program(body: str, compiled: bool = False) -> str:
    """The program with this body of `network`."""
    return f"{HEAD}\ndef network(x):{body}\n{TAIL}{COMPILED if compiled else ''}"
