"""Which statements only rank 0 runs, and where `if hvd.rank() == 0:` is put around them."""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import Union

from ...program.node_fields import children
from ...program.parts import FunctionNode
from ...program.records import NamedTuple
from ..by_rank import asks_for_rank, depends_on_rank, is_decided, names_rank
from ..data.batch_needs import order_matters
from ..facts import Facts, recorded
from ..roles import Role
from ..setup.import_places import init_place, runs_before_init
from ..setup.pinning import pinning
from .evaluation import arguments_of, blocks, evaluated, is_elif_chain, stays_inside
from .hoisted_values import Hoist, Hoists
from .output_folders import is_private
from .outputs import gives_a_path, is_file_write, is_output, is_plain_open, is_stored, role
from .side_effects import Effects, is_drawing

# -- guard places --------------------------------------------------------------------------------
# What rank 0 does alone: statements, values and conditions of the program.


class Guard(NamedTuple):
    """A run of statements for rank 0."""

    members: tuple[ast.stmt, ...]


class OnlyThere(NamedTuple):
    """An expression whose value is None on the other workers."""

    value: ast.expr


class Narrow(NamedTuple):
    """The test of an `if` whose whole body is for rank 0."""

    test: ast.expr


Place = Union[Hoist, Guard, OnlyThere, Narrow]


# -- cell marks ----------------------------------------------------------------------------------
# Marks that divide a script into cells, as editors run them: `# %%`; nbconvert's `# In[3]:`.
#
# A cell is run by itself, so no statement is put around parts of two.

_MARK = re.compile(r"#\s?%%|# In\[[\d ]*\]:")


@recorded
def cell_marks(facts: Facts) -> tuple[int, ...]:
    """The lines of the marks."""
    if "%%" not in facts.source.text and "# In[" not in facts.source.text:
        return ()  # as most
    return tuple(n for n, line in enumerate(facts.source.lines, 1) if _MARK.match(line))


def in_one_cell(facts: Facts, first: ast.stmt, last: ast.stmt) -> bool:
    """Whether no mark stands between the beginnings of two statements."""
    marks = cell_marks(facts)
    return bisect_left(marks, first.lineno) == bisect_left(marks, last.lineno)


# -- pictures ------------------------------------------------------------------------------------
# Functions that only draw pictures: rank 0 alone calls them, so that they need no guard inside.
#
# What they ask a model for is only drawn: one of Keras' own predicts without a word to the
# others.

_PREDICTING = ("predict", "predict_on_batch")


class WithPictures(Effects):
    """The same, where functions that only draw are left to rank 0, and what a model is asked."""

    def _call(self, call: ast.Call) -> bool:
        if self.facts.callee(call) in pictures(self.facts) or super()._call(call):
            return True
        is_asked = _is_prediction(self.facts, call) and _is_fitted_before(self.facts, call)
        return is_asked and not any(map(self._is_iterator, arguments_of(call)))


class _Drawing(Effects):
    """The same inside of such functions: a model is asked."""

    def _call(self, call: ast.Call) -> bool:
        return _is_prediction(self.facts, call) or super()._call(call)


def _is_prediction(facts: Facts, call: ast.Call) -> bool:
    """`model.predict(x)`, `model(x, training=False)`: of no class of the file, without a state."""
    func = call.func
    is_method = isinstance(func, ast.Attribute) and func.attr in _PREDICTING
    training = facts.argument(call, "training")
    is_off = isinstance(training, ast.Constant) and training.value is False
    model = func.value if is_method else func if is_off else None  # type: ignore[attr-defined]
    if model is None or facts.callee(call) is not None or order_matters(facts):
        return False
    origins = facts.origins(model)
    made = [node for node in origins.nodes if isinstance(node, ast.Call)]
    is_known = origins.complete and bool(made) and len(made) == len(origins.nodes)
    is_own = any(facts.classes.local(each.func) is not None for each in made)
    return is_known and not is_own and role(facts, model) is Role.MODEL


def _is_fitted_before(facts: Facts, call: ast.Call) -> bool:
    """Whether the same model is fitted on each way there: what it is asked makes nothing in it."""
    func = call.func
    model = func.value if isinstance(func, ast.Attribute) else func
    if not isinstance(model, ast.Name):
        return False
    before = _before(facts, facts.statement(call))
    return any(_fits(s, model.id) and _is_bound_before(facts, model, s) for s in before)


def _is_bound_before(facts: Facts, model: ast.Name, fit: ast.stmt) -> bool:
    """Whether the name means one model from there on: whoever binds it comes there again."""
    bound, home = facts.bindings(model), facts.function(model)
    return len(bound) == 1 or all(
        facts.function(b.node) is home and facts.place(b.node) < facts.place(fit) for b in bound
    )


def _before(facts: Facts, statement: ast.stmt) -> Iterator[ast.stmt]:
    """The plain statements that run before a statement, in its block and those around it."""
    for node in (statement, *facts.parents(statement)):
        if isinstance(node, (*FunctionNode, ast.ClassDef, ast.Module)):
            return
        if isinstance(node, ast.stmt):
            block, number = facts.block(node)
            yield from (s for s in block[:number] if isinstance(s, (ast.Expr, ast.Assign)))


def _fits(statement: ast.stmt, model: str) -> bool:
    """`model.fit(…)`, or what it gives gets a name."""
    value = getattr(statement, "value", None)
    func = value.func if isinstance(value, ast.Call) else None
    is_fit = isinstance(func, ast.Attribute) and func.attr == "fit"
    return is_fit and getattr(func.value, "id", "") == model  # type: ignore[union-attr]


@recorded
def pictures(facts: Facts) -> frozenset[ast.AST]:
    """The functions that draw and do nothing else, if each call of them is seen and left out."""
    drawing = (call for call in facts.index.calls if is_drawing(facts, call))
    functions = dict.fromkeys(facts.function(call) for call in drawing)
    if not functions or init_place(facts) is None:  # a library, whose callers are elsewhere
        return frozenset()
    effects = _Drawing(facts)
    return frozenset(
        function
        for function in functions
        if isinstance(function, ast.FunctionDef)
        and effects.function(function)
        and _is_called_alone(facts, effects, function)
    )


def is_in_picture(facts: Facts, node: ast.AST) -> bool:
    """Whether it stands in such a function."""
    found = pictures(facts)
    return bool(found) and any(parent in found for parent in facts.parents(node))


def _is_called_alone(facts: Facts, effects: Effects, function: ast.FunctionDef) -> bool:
    """Whether each call is a statement that rank 0 may run alone, or does so already."""
    sites = facts.call_sites(function)
    if not sites or facts.escapes(function):
        return False
    return all(_may_be_left_out(facts, effects, site) for site in sites)


def _may_be_left_out(facts: Facts, effects: Effects, site: ast.Call) -> bool:
    statement = facts.statement(site)
    if is_decided(facts, statement):
        return True
    is_whole = isinstance(statement, ast.Expr) and statement.value is site
    return is_whole and effects.statement(statement) and not runs_before_init(facts, statement)


# -- guards --------------------------------------------------------------------------------------
# Which statements go under `if hvd.rank() == 0:`, and what every worker still has to evaluate.
#
# Consecutive ones share a guard, with what only computes between them, for nobody else.

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
