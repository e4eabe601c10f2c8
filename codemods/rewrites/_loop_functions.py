"""The functions that run the steps of any loop and keep little of what lies between them.

As for layers (`_recomputation.py`): the state between two steps is a capsule, of whatever tensors
it consists. What the loop runs over is no part of it, unless a gradient must reach it.
"""

from __future__ import annotations

from ..program.records import NamedTuple
from ._schedules import BINOMIAL, HALVES, KINDS, SEGMENTS

SAYS = {
    HALVES: "the first half is run again instead of kept",
    SEGMENTS: "all segments but the last are run again",
    BINOMIAL: "so many states at most are kept at a time",
}
PARTS = {HALVES: "half", SEGMENTS: "size", BINOMIAL: "first"}

HEAD = '''\
def {name}(step, items, state{more}):
    """Run a step for each item; for gradients, {says}."""
'''
SIZE = "    size = size or max(1, round(len(items) ** 0.5))\n"
ONE = """\
    if len(items) < 2:
        return {one} if len(items) else state
"""
FEW = """\
    if len(items) <= {few}:
        for item in items:
            state = {each}
        return state
"""
FEW_GIVING = """\
    if len(items) <= {few}:
        outputs = []
        for item in items:
            state, output = {each}
            outputs.append(output)
        return state, outputs
"""
CUTS = {
    HALVES: "    half = len(items) // 2\n",
    SEGMENTS: "",
    BINOMIAL: "    first = {first_part}(len(items), snapshots)\n",
}
AGAIN = """\
    again = {tf}.recompute_grad(lambda {args}: {name}(step, {again}, state{less}))
    return {name}(step, items[{part}:], again({given}){left})
"""
AGAIN_GIVING = """\
    again = {tf}.recompute_grad(lambda {args}: {name}(step, {again}, state{less}))
    state, outputs = again({given})
    state, further = {name}(step, items[{part}:], state{left})
    return state, [*outputs, *further]
"""

STEP = '''\
def {step}(step, item, state):
    """Run a step; going back, its weights get their gradients before any step before it."""

    @{tf}.custom_gradient
    def run(*given):
        with {tf}.GradientTape(persistent=True) as tape, {tf}.control_dependencies(given):
            tape.watch(given)
            result = step({unpacked})

        def gradient(*dy, variables=()):
            y, x = {tf}.nest.flatten(result), [*given, *variables]
            dx = tape.gradient(y, x, dy, unconnected_gradients="zero")
            dx, own = dx[: len(given)], dx[len(given) :]
            with {tf}.control_dependencies(own):
                dx = [{tf}.identity(each) for each in dx]
            return (dx, own) if variables else dx

        return result, gradient

    return run(*map({tf}.convert_to_tensor, {tf}.nest.flatten({flat})))
'''


class Form(NamedTuple):
    """Which of the functions it is; `is_over`: gradients reach the items, `gives`: outputs."""

    schedule: str = HALVES
    is_over: bool = False
    gives: bool = False
    base: int = 1
    snapshots: int = 0

    @property
    def name(self) -> str:
        """The name that is wished for it."""
        return f"loop_{KINDS[self.schedule]}" + "_over" * self.is_over + "_giving" * self.gives


def written(form: Form, name: str, tf: str = "tf", step: str = "", first_part: str = "") -> str:
    """The text of a form; `step` names the function that runs a step of a compiled program."""
    run = f"{step}(step, {{}}, state)" if step else "step({}, state)"
    words = {
        "name": name,
        "tf": tf,
        "says": SAYS[form.schedule],
        "first_part": first_part,
        "one": run.format("items[0]"),
        "each": run.format("item"),
        "few": form.base,
        **_of_schedule(form),
        **_of_items(form),
    }
    few = FEW_GIVING if form.gives else ONE if words["few"] == 1 else FEW
    again = AGAIN_GIVING if form.gives else AGAIN
    size = SIZE if form.schedule == SEGMENTS else ""
    return "".join((HEAD, size, few, CUTS[form.schedule], again)).format(**words)


def written_step(is_over: bool, name: str, tf: str = "tf") -> str:
    """The text of the function that runs a step of a compiled program."""
    packed, flat = ("(item, state)", "(item, state)") if is_over else ("state", "state")
    given = f"{tf}.nest.pack_sequence_as({packed}, given)"
    unpacked = f"*{given}" if is_over else f"item, {given}"
    return STEP.format(step=name, tf=tf, unpacked=unpacked, flat=flat)


def _of_schedule(form: Form) -> dict[str, object]:
    words = {"part": PARTS[form.schedule], "more": "", "less": "", "left": ""}
    if form.schedule == SEGMENTS:
        return {**words, "more": ", size=None", "less": ", size", "left": ", size", "few": "size"}
    if form.schedule == BINOMIAL:
        most = f", snapshots={form.snapshots}"
        return {**words, "more": most, "less": ", snapshots", "left": ", max(1, snapshots - 1)"}
    return {**words}


def _of_items(form: Form) -> dict[str, str]:
    """What is an argument of what is run again: the state, and the items if a gradient needs it."""
    part = PARTS[form.schedule]
    if form.is_over:
        return {"args": "items, state", "again": "items", "given": f"items[:{part}], state"}
    return {"args": "state", "again": f"items[:{part}]", "given": "state"}
