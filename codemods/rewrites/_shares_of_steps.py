"""How a worker's share of a number of steps is written (D106)."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ..edits import (
    At,
    Chain,
    Edit,
    Fold,
    FoldCall,
    Hoist,
    Insert,
    Replace,
    SetArgument,
    SetField,
    Wrap,
)
from ..facts.data.divided import Share, divided, repeated
from ..facts.data.numbered_batches import can_get_name, shortened
from ..facts.timing.held_numbers import held
from ..facts.timing.job_steps import inside_told, told_steps
from ..facts.timing.mistimed import Shown, is_editable, mistimed, own_rounds, shown_totals
from ..facts.timing.schedule_steps import divided_decays, hastened
from ..facts.training.training_loops import ends_range_from_one
from ._new_code import code, fresh_for, hvd

if TYPE_CHECKING:
    from ..facts import Facts

DIVIDED = {
    Share.ANY: "_ // {hvd}.size()",
    Share.SOME: "max(1, _ // {hvd}.size())",
    Share.EACH: "[steps // {hvd}.size() for steps in _]",
    Share.LAST: "max(1, _ // {hvd}.size()) - 1",
}
MULTIPLIED = "_ * {hvd}.size()"
RAISED = "_ ** {hvd}.size()"
REPEATED = "_.repeat()"
# In front of what a schedule of the user's own reckons with its step.
JOB_STEP = "{step} = {step} * {hvd}.size()  # those of all workers\n"
LESS_ONE = "(_ - 1)"
FROM_ONE = f"max(1, {LESS_ONE} // {{hvd}}.size()) + 1"  # `range(1, 61)` has 60 rounds
WITHOUT_MAX = {  # for a program that calls something else `max`
    DIVIDED[Share.SOME]: "_ // {hvd}.size() or 1",
    DIVIDED[Share.LAST]: "(_ // {hvd}.size() or 1) - 1",
    FROM_ONE: f"({LESS_ONE} // {{hvd}}.size() or 1) + 1",
}


def form(facts: Facts, expr: ast.expr, share: Share) -> str:
    """How a share is written where the number stands."""
    whole = FROM_ONE if ends_range_from_one(facts, expr) else DIVIDED[share]
    is_named = facts.scope(expr).find("max") is not None
    return WITHOUT_MAX.get(whole, whole) if is_named else whole


def share_of(facts: Facts, expr: ast.expr, share: Share) -> Edit:
    """A number of steps becomes a worker's share of it; 60 is no `61 - 1`."""
    whole = form(facts, expr, share).format(hvd=hvd(facts))
    if share is Share.LAST and isinstance(expr, ast.Constant):
        return Replace(whole.replace("_", str(expr.value + 1), 1))  # type: ignore[operator]
    if LESS_ONE in whole and isinstance(expr, ast.Constant) and isinstance(expr.value, int):
        return Replace(whole.replace(LESS_ONE, str(expr.value - 1)))
    return Wrap(whole)


def numbers(facts: Facts) -> Iterator[At]:
    """Each number of steps that a worker takes a share of, or that grows; `_` stands for it.

    What all readers of a name would divide alike is divided where the name gets it.
    """
    found: dict[ast.AST, Edit] = _shares(facts)
    grown = (*hastened(facts), *mistimed(facts).multiplied)
    found.update(dict.fromkeys(grown, Wrap(MULTIPLIED.format(hvd=hvd(facts)))))
    raised = mistimed(facts).raised
    found.update(dict.fromkeys(raised, Wrap(RAISED.format(hvd=hvd(facts)))))
    found.update(dict.fromkeys(repeated(facts), Chain(REPEATED)))
    shown = dict(_totals(facts))
    found.update((total.place, edit) for total, edit in shown.items())
    _move_to_values(facts, found, shown)
    for place, edit in found.items():
        yield At(place, edit)
        if not isinstance(edit, Replace):  # what stood there is gone
            yield At(place, Fold())


def _shares(facts: Facts) -> dict[ast.AST, Edit]:
    """What is divided for its own sake, and below a sum over the steps of a worker."""
    inside = inside_told(facts)
    found = [(expr, share) for expr, share in _divided(facts) if expr not in inside]
    found += [(each, Share.SOME) for each in own_rounds(facts)]
    return {expr: share_of(facts, expr, share) for expr, share in found}


def _move_to_values(facts: Facts, found: dict[ast.AST, Edit], shown: Mapping[Shown, Edit]) -> None:
    """Change the value of a name in the place of all its readers, where they would change alike."""
    templates: dict[ast.Name, str] = {}
    for place, edit in found.items():
        if isinstance(place, ast.Name) and isinstance(edit, Wrap):
            templates[place] = edit.template
    fields = [field for total in shown for field in _fields_of(total)]
    templates.update((field, share_form(facts, field)) for field in fields)
    for value, readers in held(facts, templates):
        template, *others = {templates[each] for each in readers}  # type: ignore[index]
        if others or value in found:
            continue
        for total in shown:
            if readers.intersection(_fields_of(total)):
                found.pop(total.place, None)
        for each in readers:
            found.pop(each, None)
        found[value] = Wrap(template)


def _fields_of(total: Shown) -> list[ast.Name]:
    """The fields of an f-string that hold nothing but the name that it shows as a total."""
    name = total.number
    if total.string is None or not isinstance(name, ast.Name):
        return []
    values = [getattr(part, "value", None) for part in total.string.values]
    return [v for v in values if isinstance(v, ast.Name) and v.id == name.id]


def _divided(facts: Facts) -> Iterator[tuple[ast.expr, Share]]:
    """The numbers of steps of which each worker takes a share, or is compared with one."""
    yield from divided(facts)
    yield from divided_decays(facts)
    yield from mistimed(facts).divided


def job_steps(facts: Facts) -> Iterator[At]:
    """The schedules that are told the steps of all workers."""
    for told in told_steps(facts):
        line = JOB_STEP.format(hvd=hvd(facts), step=told.step)
        yield At(told.first, Insert(before=line))


def shorter_epochs(facts: Facts) -> Iterator[At]:
    """The epochs of each `fit` that is given batches by their numbers take a share of them."""
    for call, batches in shortened(facts).items():
        name = code(facts, batches)
        if can_get_name(facts, batches):
            name = fresh_for(facts, "batches", batches)
            yield At(batches, Hoist(name))
        share = form(facts, batches, Share.SOME).replace("_", f"len({name})", 1)
        yield At(call, SetArgument("steps_per_epoch", share.format(hvd=hvd(facts))))
        yield At(call, FoldCall())


def _totals(facts: Facts) -> Iterator[tuple[Shown, Edit]]:
    """Totals that stand beside a counter, `7/100`."""
    for shown in shown_totals(facts):
        if shown.number is None or not is_editable(facts, shown):
            continue
        share = share_form(facts, shown.number)
        if shown.string is None:
            yield shown._replace(place=shown.number), Wrap(share)
        else:
            text = ast.unparse(shown.number)
            whole = f"({text})" if _is_sum(shown.number) else text
            edit = SetField(text, share.replace("_", whole, 1))
            yield shown._replace(place=shown.string), edit


def share_form(facts: Facts, number: ast.expr) -> str:
    """How a share of at least one is written where a number stands."""
    return form(facts, number, Share.SOME).format(hvd=hvd(facts))


def _is_sum(number: ast.expr) -> bool:
    """Whether it needs parentheses before it is divided."""
    products = (ast.Mult, ast.Div, ast.FloorDiv, ast.Mod)
    return isinstance(number, ast.BinOp) and not isinstance(number.op, products)
