"""The functions that run a cell over time and keep little of what lies between the steps.

As for layers (`_recomputation.py`): the state between two steps is a capsule. The steps of the
input are arguments, so that gradients reach them; they are taken apart once, since the gradient of
each `x[:, t]` by itself is as large as all of x.
"""

from __future__ import annotations

HALVES = '''\
def {name}(cell, xs, h):
    """Run a cell over time; for gradients, the first half is run again instead of kept."""
    if len(xs) < 2:
        return {first} if xs else h
    half = len(xs) // 2
    h = {tf}.recompute_grad(lambda *args: {name}(cell, args[:-1], args[-1]))(*xs[:half], h)
    return {name}(cell, xs[half:], h)
'''

# Chen et al., Training Deep Nets with Sublinear Memory Cost, 2016.
SEGMENTS = '''\
def {name}(cell, xs, h, size=None):
    """Run a cell over time; for gradients, all segments but the last are run again."""
    size = size or max(1, round(len(xs) ** 0.5))
    if len(xs) <= size:
        for x in xs:
            h = {each}
        return h
    h = {tf}.recompute_grad(lambda *args: {name}(cell, args[:-1], args[-1], size))(*xs[:size], h)
    return {name}(cell, xs[size:], h, size)
'''

# Griewank and Walther, Algorithm 799: revolve, 2000.
BINOMIAL = '''\
def {name}(cell, xs, h, snapshots={snapshots}):
    """Run a cell over time; for gradients, so many states at most are kept at a time."""
    if len(xs) < 2:
        return {first} if xs else h
    first = {first_part}(len(xs), snapshots)
    again = {tf}.recompute_grad(lambda *args: {name}(cell, args[:-1], args[-1], snapshots))
    return {name}(cell, xs[first:], again(*xs[:first], h), max(1, snapshots - 1))
'''
ONE = """\
    if len(xs) < 2:
        return {first} if xs else h
"""
FEW = """\
    if len(xs) <= {base}:
        for x in xs:
            h = {each}
        return h
"""

STEP = '''\
def {step}(cell, x, h):
    """Run a cell; going back, its weights get their gradients before any step before it."""

    @{tf}.custom_gradient
    def run(x, h):
        with {tf}.GradientTape(persistent=True) as tape:
            tape.watch((x, h))
            y = cell(x, h)

        def gradient(dy, variables=()):
            dx, dh, *own = tape.gradient(y, [x, h, *variables], dy, unconnected_gradients="zero")
            with {tf}.control_dependencies(own):
                dh = {tf}.identity(dh)
            return ((dx, dh), own) if variables else (dx, dh)

        return y, gradient

    return run(x, h)
'''


def written(
    form: str,
    name: str,
    tf: str = "tf",
    step: str = "",
    base: int = 1,
    snapshots: int = 5,
    first_part: str = "first_part",
) -> str:
    """The text of a form; `step` names the function that runs a step of a compiled program.

    `base`: so many steps are run without cutting them any further.
    """
    run = f"{step}(cell, {{}}, h)" if step else "cell({}, h)"
    names = {"name": name, "tf": tf, "step": step}
    numbers = {"base": base, "snapshots": snapshots, "first_part": first_part}
    cut = form.replace(ONE, FEW) if base > 1 else form
    each = {"first": run.format("xs[0]"), "each": run.format("x")}
    texts = [STEP, cut] if step else [cut]
    return "\n\n".join(text.format(**names, **numbers, **each) for text in texts)
