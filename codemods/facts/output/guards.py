"""Which statements go under `if hvd.rank() == 0:`, and what every worker still has to evaluate.

Consecutive ones share a guard, with what only computes between them, for nobody else.
"""

from __future__ import annotations

import ast

from ...program.node_fields import children
from ..by_rank import asks_for_rank, depends_on_rank, is_decided, names_rank
from ..facts import Facts, recorded
from ..setup.import_places import runs_before_init
from ..setup.pinning_removal import pinning
from .cell_marks import in_one_cell
from .confined_names import stays_inside
from .drawings import is_drawing
from .evaluation import evaluated
from .experiments import is_stored
from .folders import is_private
from .guard_places import Guard, Narrow, OnlyThere, Place
from .hoists import Hoist, Hoists
from .nested_blocks import blocks, is_elif_chain
from .opened_files import is_file_write, is_plain_open
from .outputs import gives_a_path, is_output
from .pictures import WithPictures, is_in_picture, pictures

_Run = tuple[list[ast.stmt], tuple[Hoist, ...]]


@recorded
def places(facts: Facts) -> dict[ast.AST, Place]:
    """Everything that rank 0 does alone: the statements, values and tests to change."""
    planner = _Planner(facts)
    planner.block(facts.module.body)
    return planner.found


def is_left_to_rank_zero(facts: Facts, node: ast.AST) -> bool:
    """Whether only rank 0 gets to what is evaluated there: nobody can wait for the others in it."""
    if is_in_picture(facts, node):
        return True
    planned, child = places(facts), node
    for at in (node, *facts.parents(node)):
        place = planned.get(at)
        if isinstance(place, Hoist):
            return False
        if isinstance(place, (Guard, OnlyThere)):
            return True
        if isinstance(at, ast.If) and isinstance(planned.get(at.test), Narrow):
            return child is not at.test
        child = at
    return False


class _Planner:
    def __init__(self, facts: Facts) -> None:
        self._facts, self._effects = facts, facts.record(WithPictures)
        self._pictures = pictures(facts)
        self._gone = pinning(facts) if facts.options.applies("D103") else {}
        self._hoists = Hoists(facts, self._effects)
        self.found: dict[ast.AST, Place] = {}

    def block(self, statements: list[ast.stmt]) -> None:
        """Plan the runs of a block, then look into the statements that stay outside of them."""
        position = 0
        while position < len(statements):
            run, hoists = self._run(statements, position)
            if run:
                self._guard(run, hoists)
                position += len(run)
            else:
                self._outside(statements[position])
                position += 1

    def _run(self, statements: list[ast.stmt], start: int) -> _Run:
        """The longest run that begins here: its first and its last statement write something."""
        first = statements[start]
        hoists = self._hoists.of(first)
        is_other = self._is_done(first) or runs_before_init(self._facts, first)
        if is_other or not (hoists or self._has_output(first)):
            return [], ()
        end = start + 1
        while end < len(statements) and self._may_join(statements[start:end], statements[end]):
            end += 1
        for stop in range(end, start, -1):
            run = statements[start:stop]
            is_last = self._has_output(run[-1]) or self._writes_on(run[-1])
            if is_last and stays_inside(self._facts, run, [hoist.value for hoist in hoists]):
                return run, hoists
        return [], ()

    def _may_join(self, run: list[ast.stmt], statement: ast.stmt) -> bool:
        is_near = in_one_cell(self._facts, run[0], statement) and not _is_heading(statement)
        return is_near and self._effects.along(statement, run) and not self._is_done(statement)

    def _is_done(self, statement: ast.stmt) -> bool:
        """Whether the statement goes (D103), or the program asks for the rank in or before it."""
        is_asked = isinstance(statement, ast.If) and asks_for_rank(self._facts, statement.test)
        if is_asked or statement in self._gone:
            return True
        return names_rank(self._facts, statement) or is_decided(self._facts, statement)

    def _has_output(self, statement: ast.stmt) -> bool:
        """Whether leaving the statement to rank 0 is worth it: it writes and does nothing else."""
        if not self._effects.statement(statement):
            return bool(self._hoists.of(statement))
        if isinstance(statement, ast.Assign) and is_stored(self._facts, statement.targets[0]):
            return True
        return any(
            is_output(self._facts, node)
            or is_drawing(self._facts, node)
            or self._opens(node)
            or self._facts.callee(node) in self._pictures
            for node in evaluated(statement, lambdas=False)
            if isinstance(node, ast.Call)
        )

    def _writes_on(self, statement: ast.stmt) -> bool:
        """Whether it writes to a file that is open, whoever has opened it."""
        calls = (n for n in evaluated(statement, lambdas=False) if isinstance(n, ast.Call))
        return any(is_file_write(self._facts, call.func) for call in calls)

    def _opens(self, call: ast.Call) -> bool:
        """`with open(path, "w") as f: …` writes; `open` alone is a matter of D204, where that
        has something else for the others to write to."""
        is_item = isinstance(self._facts.parent(call), ast.withitem)
        is_item = is_item or not is_plain_open(self._facts, call)
        is_own = is_private(self._facts, call)
        return is_item and not is_own and self._effects.is_output_file(call)

    def _guard(self, run: list[ast.stmt], hoists: tuple[Hoist, ...]) -> None:
        only = run[0]
        if len(run) == 1 and isinstance(only, ast.If) and not only.orelse:
            self._if(only)
            return
        for hoist in hoists:
            self._paths_within(hoist.value)
            self.found[hoist.value] = hoist
        guard = Guard(tuple(run))
        self.found.update(dict.fromkeys(run, guard))

    # -- statements that stay outside ---------------------------------------------------------

    def _outside(self, statement: ast.stmt) -> None:
        if statement in self._pictures or statement in self._gone:
            return
        if isinstance(statement, ast.If):
            self._if(statement)
        elif isinstance(statement, (ast.Assign, ast.AnnAssign, ast.Return)):
            self._value(statement)
        else:
            self._paths_in(statement)
            for inner in blocks(statement):
                self.block(inner)

    def _if(self, statement: ast.If) -> None:
        """`if step % 100 == 0: print(…)` needs no second `if`."""
        if self._is_done(statement):
            return
        self._paths_in(statement)
        if not statement.orelse and self._is_for_rank_zero(statement.body):
            self.found[statement.test] = Narrow(statement.test)
            return
        self.block(statement.body)
        if is_elif_chain(statement):
            self._if(statement.orelse[0])  # type: ignore[arg-type]
        else:
            self.block(statement.orelse)

    def _is_for_rank_zero(self, body: list[ast.stmt]) -> bool:
        if len(body) == 1 and isinstance(body[0], ast.If) and not body[0].orelse:
            return False  # its own test gets narrower
        if runs_before_init(self._facts, body[0]) or not all(map(self._effects.statement, body)):
            return False
        return any(map(self._has_output, body)) and stays_inside(self._facts, body)

    def _value(self, statement: ast.Assign | ast.AnnAssign | ast.Return) -> None:
        """`path = manager.save()`: the other workers get None."""
        value = statement.value
        if value is None or runs_before_init(self._facts, statement):
            return
        if self._is_done(statement) or depends_on_rank(self._facts, value):
            return
        if self._effects.skippable(value) and self._is_written(value):
            self.found[value] = OnlyThere(value)
        else:
            self._paths_within(value)

    def _is_written(self, value: ast.expr) -> bool:
        """Whether the value is what a save gives: `print(x) or 5` is 5 everywhere."""
        calls = self._effects.outputs(value)
        return value in calls or any(gives_a_path(self._facts, call) for call in calls)

    def _paths_in(self, statement: ast.stmt) -> None:
        for child in children(statement):
            if isinstance(child, ast.expr):
                self._paths_within(child)

    def _paths_within(self, expr: ast.expr) -> None:
        """A checkpoint saved in the middle of an expression that every worker evaluates."""
        for call in self._effects.outputs(expr):
            if is_decided(self._facts, call):
                continue
            is_editable = not any(isinstance(p, ast.JoinedStr) for p in self._facts.parents(call))
            if is_editable and gives_a_path(self._facts, call) and self._effects.skippable(call):
                self.found[call] = OnlyThere(call)


def _is_heading(statement: ast.stmt) -> bool:
    """A text that stands for itself, as cells of a notebook leave it behind: `"## Train it"`."""
    text = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(text, ast.Constant) and isinstance(text.value, str)
