"""The tests by which each worker decides for itself about steps, and the values in them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import partial

from ..edits import At
from ..facts import Facts
from ..facts.agreement.control import tests_around
from ..facts.input_files import is_shared
from ..facts.number_domain import NUMBER, Number
from ..facts.walks import reached
from ..judge.disagreements import disagreements
from ..judge.sinks import NUMBER_SET, STEP, WEIGHTS_SET
from ..program.bindings import Binding
from ..program.node_fields import within
from ..rewrites._import_edits import behind_imports, horovod_import
from ..rewrites._new_code import hvd

BOUND = ("assign", "aug")
COUNTS = (Number.LITERAL, Number.INT)
OF_TENSORS = frozenset({"numpy", "shape", "dtype"})


def horovod_begins(facts: Facts) -> Iterator[At]:
    """Horovod's import and its start: all workers have to be there where they ask each other."""
    start = behind_imports(facts, f"\n{hvd(facts)}.init()\n\n")
    for lines in (horovod_import(facts), start):
        yield from (At(statement, each) for statement, each in lines.items())


def own_tests(facts: Facts) -> Iterator[ast.expr]:
    """The tests that workers may answer differently, on the way to a training step or out.

    With those that decide what is bound to the names in them: `if loss > best: waited += 1`.
    """
    return reached(first_tests(facts), partial(tests_behind, facts))


def tests_behind(facts: Facts, test: ast.expr) -> Iterator[ast.expr]:
    """The tests under which the names of a test are bound."""
    for name in within(test):
        for binding in facts.bindings(name) if isinstance(name, ast.Name) else ():
            if binding.kind in BOUND:
                around = tests_around(facts, binding.node)
                yield from (other for other in around if not is_shared(facts, other))


def first_tests(facts: Facts) -> Iterator[ast.expr]:
    """Those that stand around a step or a jump, or around what sets a rate or weights."""
    found = (each for each in disagreements(facts).found if each.is_test)
    tests = (each.value for each in found if each.sink in (STEP, NUMBER_SET, WEIGHTS_SET))
    yield from (test for test in tests if isinstance(test, ast.expr))


def own_names(facts: Facts, test: ast.expr) -> dict[str, Number]:
    """The names in a test that are each worker's own, but for those that follow from others."""
    loads = {
        node.id: node
        for node in within(test)
        if isinstance(node, ast.Name) and not is_shared(facts, node)
    }
    names = {
        name: facts.program.value(NUMBER, node)
        for name, node in loads.items()
        if not follows(facts, node, loads)
    }
    can_average = (
        not is_flag(facts, loads[name]) and can_be_averaged(facts, loads[name], number)
        for name, number in names.items()
    )
    return names if all(can_average) else {}


def can_be_averaged(facts: Facts, name: ast.Name, number: Number) -> bool:
    """Whether a name may hold the average where it is used: no count, no metric, and no list."""
    scope = facts.scope(name).find(name.id)
    loads = [
        load
        for load in facts.index.loads[name.id]
        if isinstance(load, ast.Name) and facts.scope(load).find(load.id) is scope
    ]
    if number is Number.UNKNOWN:  # the average is a tensor
        return all(is_for_any_number(facts, load) for load in loads)
    return number not in COUNTS and all(is_for_tensors(facts, load) for load in loads)


def is_for_tensors(facts: Facts, load: ast.AST) -> bool:
    """Whether the name is used for what can be done with a tensor of one number."""
    use = facts.parent(load)
    if isinstance(use, ast.Attribute):
        return use.attr in OF_TENSORS
    return not (isinstance(use, ast.Subscript) and use.value is load)


def is_for_any_number(facts: Facts, load: ast.expr) -> bool:
    """Whether a tensor gives there what the value gave: it was one, is compared, or converted."""
    use = facts.parent(load)
    if facts.program.value(NUMBER, load) is Number.TENSOR:
        return is_for_tensors(facts, load)
    if isinstance(use, ast.Call):
        return facts.name(use.func) == "builtins.float" and load in use.args
    return isinstance(use, ast.Compare)


def is_flag(facts: Facts, name: ast.Name) -> bool:
    """Whether it may be true or false, of which there is no average."""
    values = [binding.value for binding in facts.bindings(name)]
    is_bool = (isinstance(v, ast.Constant) and isinstance(v.value, bool) for v in values)
    return any(isinstance(v, (ast.Compare, ast.BoolOp)) for v in values) or any(is_bool)


def follows(facts: Facts, name: ast.Name, others: Iterable[str]) -> bool:
    """Whether a name only ever holds what other names of the test held: `best = loss`."""
    bound = [b for b in facts.bindings(name) if b.kind in BOUND]
    known = {other for other in others if other != name.id}
    used = [{n.id for n in within(value(b)) if isinstance(n, ast.Name)} - {name.id} for b in bound]
    return any(names & known for names in used) or all(not names for names in used)


def value(binding: Binding) -> ast.AST:
    """What a name is bound to, also in `best, waited = loss, 0`."""
    given = binding.value or binding.node
    for at in binding.path:
        if isinstance(given, (ast.Tuple, ast.List)) and isinstance(at, int):
            given = given.elts[at]
    return given


def has_jumps(loop: ast.While) -> bool:
    """Whether a round may end before its last statement."""
    return any(isinstance(node, (ast.Continue, ast.Break, ast.Return)) for node in within(loop))


def head(facts: Facts, statement: ast.stmt) -> ast.stmt:
    """The `if` that an `elif` belongs to."""
    above = facts.parent(statement)
    while isinstance(above, ast.If) and above.orelse == [statement]:
        if above.col_offset != statement.col_offset:
            break
        statement, above = above, facts.parent(above)
    return statement
