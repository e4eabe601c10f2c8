"""Numbers of steps that schedules are given: how long they decay, where they change the rate."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.decays import DECAYS, OLD_DECAYS, SAVINGS
from ...library.names import in_v1
from ...library.optimizers import OPTIMIZERS
from ...program.records import NamedTuple
from ..by_rank import depends_on_size
from ..data.divided import Share, is_many, is_shorter, share, shrinks
from ..facts import Facts
from ..optimizers.rate_carriers import inner
from ..roles import Role
from ..steps.units import SHARE, Units
from .mistimed import units_of


class Decay(NamedTuple):
    """A number of steps, or several of them, that a schedule is given by a name.

    `counter`: the count that it goes by, where the call is given one; else the optimizer's.
    """

    name: str
    number: ast.expr
    counter: ast.expr | None = None

    @property
    def numbers(self) -> list[ast.expr]:
        """Each of them, where they stand in the call."""
        is_list = isinstance(self.number, (ast.List, ast.Tuple))
        return self.number.elts if is_list else [self.number]  # type: ignore[attr-defined]


def decays(facts: Facts) -> Iterator[Decay]:
    """Those of libraries: Keras', which count what an optimizer counts, and TensorFlow 1's."""
    for call in (*facts.creations(Role.SCHEDULE), *facts.creations(Role.OPTIMIZER)):
        if facts.classes.local(call.func) is not None:
            continue
        kind = (facts.kind(call) or "").rpartition(".")[2]
        for name, position in DECAYS.get(kind, ()):
            value = facts.argument(call, name, position)
            if value is not None:
                yield from (Decay(name, value, counter) for counter in _asked_by(facts, call))
    for function, old in OLD_DECAYS.items():
        for call in facts.calls_of(*in_v1(f"train.{function}")):
            value = facts.argument(call, old.steps, old.position)
            if value is not None:
                yield Decay(old.steps, value, _counter(facts, call))


def savings(facts: Facts, units: Units) -> Iterator[Decay]:
    """After how many steps something is saved, where that can be seen: `"epoch"` is no number."""
    for name, where in SAVINGS.items():
        for call in facts.calls_of(name):
            value = facts.argument(call, *where)
            if value is not None and _is_number(facts, units, value):
                yield Decay(where[0], value)


def _is_number(facts: Facts, units: Units, value: ast.expr) -> bool:
    """Whether it is written out, or computed, in this program."""
    made = facts.origins(value)
    is_seen = made.complete and bool(made.nodes) and bool(units.of(value).followed)
    return is_seen and all(isinstance(n, (ast.Constant, ast.BinOp, ast.Call)) for n in made.nodes)


def _asked_by(facts: Facts, schedule: ast.Call) -> list[ast.expr] | list[None]:
    """What a schedule inside of one of the program's own is asked by; None: by an optimizer."""
    if schedule not in inner(facts):
        return [None]
    calls = (c for c in facts.index.calls if facts.role(c.func) is Role.SCHEDULE and c.args)
    asked = [call.args[0] for call in calls if schedule in facts.origins(call.func).nodes]
    return asked or [None]


def _counter(facts: Facts, call: ast.Call) -> ast.expr | None:
    """`global_step` of `exponential_decay(rate, global_step, 1000, 0.96)`."""
    is_piecewise = "piecewise" in (facts.name(call.func) or "")
    name, place = ("x", 0) if is_piecewise else ("global_step", 1)
    return facts.argument(call, name, place)


def divided_decays(facts: Facts) -> Iterator[tuple[ast.expr, Share]]:
    """Those to divide, where each worker takes a share of the steps."""
    if not is_shorter(facts):
        return
    units = units_of(facts)
    for decay in (*decays(facts), *savings(facts, units)):
        if is_many(facts, decay.number) and _is_of_steps(units, decay):
            for number, part in _shares(facts, decay):
                if not shrinks(facts, number) and not depends_on_size(facts, number):
                    yield number, part


def _is_of_steps(units: Units, decay: Decay) -> bool:
    """Whether it goes by a count of steps: `global_step // steps` counts epochs."""
    if decay.counter is None:
        return True
    unit = units.of(decay.counter)
    return not unit.counts or unit.powers == SHARE


def _shares(facts: Facts, decay: Decay) -> Iterator[tuple[ast.expr, Share]]:
    """What a rate is divided by is never 0; a boundary or a warm-up may be."""
    if decay.name.endswith("decay_steps") or decay.name.startswith("save_"):
        yield decay.number, share(facts, decay.number)
    elif decay.name == "boundaries" and decay.numbers == [decay.number]:
        yield decay.number, Share.EACH
    else:
        yield from ((number, Share.ANY) for number in decay.numbers)


def hastened(facts: Facts) -> Iterator[ast.expr]:
    """`decay=` of the optimizers before TensorFlow 2.11: what each step takes from the rate.

    The rate after n steps is `rate / (1 + decay * n)`, so fewer steps need a larger decay.
    """
    if not is_shorter(facts):
        return
    for call in facts.creations(Role.OPTIMIZER):
        value = facts.argument(call, "decay")
        is_library = (facts.name(call.func) or "").startswith(OPTIMIZERS)
        if value is not None and is_library and _is_decay(facts, value):
            yield value


def _is_decay(facts: Facts, value: ast.expr) -> bool:
    """Neither zero, nor reckoned with a length that has become smaller by itself."""
    nodes = (value, *facts.origins(value).nodes)
    is_off = any(isinstance(n, ast.Constant) and not n.value for n in nodes)
    is_known = is_off or depends_on_size(facts, value)
    return not is_known and not shrinks(facts, value)
