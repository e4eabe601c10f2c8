"""The functions that run layers one after another and keep little of what lies between them.

Seed 004, "Algorithm for Divide-and-Conquer Checkpointing": a network is a program of as many steps
as it has layers, and what lies between two layers is a capsule. INTERRUPT is running the first
half under `tf.recompute_grad`; RESUME is running the rest.

In a graph nothing says when the gradients of a layer's own weights are computed, and until then
what the layer was given stays: in the worst order as much as without recomputation. So a layer of a
compiled step hands its gradient on only when its weights have theirs (`run_layer`).
"""

from __future__ import annotations

HALVES = '''\
def {name}(layers, x{more}):
    """Run the layers; for gradients, the first half is run again instead of kept."""
    if len(layers) < 2:
        return {first} if layers else x
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
            x = {each}
        return x
    x = {tf}.recompute_grad(lambda x: {name}(layers[:size], x{more}, size))(x)
    return {name}(layers[size:], x{more}, size)
'''

# Griewank and Walther, Algorithm 799: revolve, 2000.
BINOMIAL = '''\
def {name}(layers, x{more}, snapshots={snapshots}):
    """Run the layers; for gradients, so many of their outputs at most are kept at a time."""
    if len(layers) < 2:
        return {first} if layers else x
    first = {first_part}(len(layers), snapshots)
    x = {tf}.recompute_grad(lambda x: {name}(layers[:first], x{more}, snapshots))(x)
    return {name}(layers[first:], x{more}, max(1, snapshots - 1))
'''
ONE = """\
    if len(layers) < 2:
        return {first} if layers else x
"""
FEW = """\
    if len(layers) <= {base}:
        for layer in layers:
            x = {each}
        return x
"""

LAYER = '''\
def {layer}(layer, x{more}):
    """Run a layer; going back, its weights get their gradients before any layer below."""

    @{tf}.custom_gradient
    def run(x):
        with {tf}.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = layer(x{passed})

        def gradient(dy, variables=()):
            dx, *own = tape.gradient(y, [x, *variables], dy, unconnected_gradients="zero")
            with {tf}.control_dependencies(own):
                dx = {tf}.identity(dx)
            return (dx, own) if variables else dx

        return y, gradient

    return run(x)
'''


def written(
    form: str,
    name: str,
    tf: str = "tf",
    training: bool = False,
    layer: str = "",
    base: int = 1,
    snapshots: int = 5,
    first_part: str = "first_part",
) -> str:
    """The text of a form; with `training`, that is passed on to each layer by its name.

    `layer` is the name of a function that runs one layer in a compiled step, written above it;
    `base`: so many layers are run without cutting them any further.
    """
    more, passed = (", training", ", training=training") if training else ("", "")
    run = f"{layer}({{}}, x{more})" if layer else f"{{}}(x{passed})"
    names = {"name": name, "tf": tf, "more": more, "passed": passed, "layer": layer}
    numbers = {"base": base, "snapshots": snapshots, "first_part": first_part}
    cut = form.replace(ONE, FEW) if base > 1 else form
    texts = [LAYER, cut] if layer else [cut]
    each = {"first": run.format("layers[0]"), "each": run.format("layer")}
    return "\n\n".join(text.format(**names, **numbers, **each) for text in texts)
