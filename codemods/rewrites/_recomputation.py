"""The functions that run layers one after another and keep little of what lies between them.

Seed 004, "Algorithm for Divide-and-Conquer Checkpointing": a network is a program of as many steps
as it has layers, and what lies between two layers is a capsule. INTERRUPT is running the first
half under `tf.recompute_grad`; RESUME is running the rest.
"""

from __future__ import annotations

HALVES = '''\
def {name}(layers, x{more}):
    """Run the layers; for gradients, the first half is run again instead of kept."""
    if len(layers) < 2:
        return layers[0](x{passed}) if layers else x
    half = len(layers) // 2
    x = {tf}.recompute_grad(lambda x: {name}(layers[:half], x{more}))(x)
    return {name}(layers[half:], x{more})
'''

# Chen et al., Training Deep Nets with Sublinear Memory Cost, 2016.
SEGMENTS = '''\
def {name}(layers, x{more}, size=None):
    """Run the layers; for gradients, all segments but the last are run again."""
    size = size or max(1, round(len(layers) ** 0.5))
    if len(layers) <= size:
        for layer in layers:
            x = layer(x{passed})
        return x
    x = {tf}.recompute_grad(lambda x: {name}(layers[:size], x{more}, size))(x)
    return {name}(layers[size:], x{more}, size)
'''

SETTING = """\
# Without this TensorFlow undoes most of the gain in compiled steps.
{tf}.config.optimizer.set_experimental_options({{"dependency_optimization": False}})
"""


def written(form: str, name: str, tf: str = "tf", training: bool = False) -> str:
    """The text of a form; with `training`, that is passed on to each layer by its name."""
    more, passed = (", training", ", training=training") if training else ("", "")
    return form.format(name=name, tf=tf, more=more, passed=passed)
