"""What evaluating something does besides computing (R04), and what only rank 0 needs to run.

`skippable` code computes, or writes for a person: a worker that leaves it out loses nothing.
"""

from __future__ import annotations

import ast

from ...library.changes import RECEIVER
from ...library.files import READS_OF_FILES
from ...library.purity import CONSUMERS, ITERATORS, only_computes
from ...library.words import table
from ...program.node_fields import within
from ..changes import changes, is_computing
from ..facts import Facts
from ..roles import Role
from ..scopes import Comprehension, Function, FunctionNode
from ..training.call_graph import call_graph
from ..walks import inner_first
from .confined_names import is_own_container
from .drawings import is_drawing
from .evaluation import arguments_of, changes_parameter, evaluated, names_of, targets
from .experiments import is_stored
from .graph_reads import reads_variable
from .opened_files import is_file_write, is_written_file, opened_to_write, opens
from .outputs import is_output

_EFFECTS = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)
_ARRAYS = table("numpy: load loadtxt genfromtxt")  # read for a file that rank 0 writes of them
_Leaving = tuple[type[ast.stmt], ...]


class Effects:
    """Answers for one module; functions of the module are looked into."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self._graph = call_graph(facts)
        self._functions: dict[ast.AST, bool] = {}
        self._statements: dict[ast.AST, bool] = {}
        self._around: list[ast.AST] = []  # the statements and functions that are looked into

    # -- expressions --------------------------------------------------------------------------

    def skippable(self, expr: ast.AST | None) -> bool:
        """Whether evaluating `expr` on one worker only changes nothing for the others."""
        return expr is None or all(map(self._node, evaluated(expr)))

    def only_computes(self, node: ast.AST) -> bool:
        """The same of a node by itself, whatever its parts do."""
        return self._node(node)

    def skippable_arguments(self, call: ast.Call) -> bool:
        """Whether the arguments of a call take no effect to compute."""
        return all(map(self.skippable, arguments_of(call)))

    def outputs(self, expr: ast.AST) -> list[ast.Call]:
        """The calls in `expr` that only rank 0 should make, without those in lambdas."""
        calls = (node for node in evaluated(expr, lambdas=False) if isinstance(node, ast.Call))
        return [call for call in calls if is_output(self.facts, call)]

    def _node(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, Comprehension):
            return not any(g.is_async or self._is_iterator(g.iter) for g in node.generators)
        if isinstance(node, ast.Starred):
            return not self._is_iterator(node.value)
        return not isinstance(node, _EFFECTS)

    def _call(self, call: ast.Call) -> bool:
        if is_output(self.facts, call) or opened_to_write(self.facts, call):
            return True
        if is_file_write(self.facts, call.func):
            return True
        if any(self._is_impure_function(a) for a in arguments_of(call)):
            return False
        if is_drawing(self.facts, call) or reads_variable(self.facts, call):
            return True
        changed = changes(self.facts, call)
        if changed:
            return changed == (RECEIVER,) and self._is_own(call.func.value)  # type: ignore[attr-defined]
        name = self.facts.name(call.func)
        if name is not None:
            uses_up = name in CONSUMERS and any(map(self._is_iterator, arguments_of(call)))
            is_read = name == "builtins.open" or (name in _ARRAYS and self._is_for_a_file())
            return (only_computes(name) or is_read) and not uses_up
        function = self.facts.callee(call)
        if function is not None:
            return self.function(function)
        if self.facts.role(call.func) is Role.SCHEDULE:
            return True
        return isinstance(call.func, ast.Attribute) and self._method(call, call.func)

    def _method(self, call: ast.Call, func: ast.Attribute) -> bool:
        """A method that is known to compute, unless a class of this module means another thing."""
        if func.attr in READS_OF_FILES and self._is_opened_inside(func.value):
            return True
        if not is_computing(self.facts, call, func):
            return False
        if func.attr == "join" and any(map(self._is_iterator, call.args)):
            return False
        methods = (
            s
            for s in self.facts.index.scopes
            if isinstance(s, FunctionNode) and s.name == func.attr
        )
        return all(self.function(m) for m in methods if self.facts.classes.method_of(m) is not None)

    def _is_opened_inside(self, file: ast.expr) -> bool:
        """Whether a file is opened in what is looked into: nobody else reads on where it ends."""
        opened = self.facts.origins(file).nodes if self._around else ()
        is_file = all(isinstance(n, ast.Call) and opens(self.facts, n) for n in opened)
        return is_file and bool(opened) and {*opened} <= {*within(self._around[-1])}

    def _is_own(self, expr: ast.AST) -> bool:
        """Whether it is a list or array that is made in what is looked into: nobody else has it."""
        return bool(self._around) and is_own_container(self.facts, expr, self._around[-1])

    def _is_for_a_file(self) -> bool:
        """Whether it is looked into what is done with a file that is written."""
        return bool(self._around) and isinstance(self._around[-1], ast.With)

    def _is_iterator(self, expr: ast.AST) -> bool:
        """Whether reading it may change what is read next: an iterator, or a dataset, which may
        be shuffled anew each time (on other workers it would stay one order behind).
        """
        if self.facts.role(expr) is Role.DATASET:
            return True
        if isinstance(expr, ast.Call):
            return False  # made here and now
        nodes = (
            self.facts.origins(expr).nodes if isinstance(expr, (ast.Name, ast.Attribute)) else ()
        )
        return any(map(self._makes_iterator, nodes))

    def _makes_iterator(self, node: ast.AST) -> bool:
        if isinstance(node, ast.GeneratorExp):
            return True
        if not isinstance(node, ast.Call):
            return False
        return self.facts.name(node.func) in ITERATORS or self.facts.callee(node) is not None

    def _is_impure_function(self, expr: ast.AST) -> bool:
        """`sorted(xs, key=f)` calls `f`."""
        function = self.facts.classes.function(expr)
        return function is not None and not self.function(function)

    # -- functions and statements -------------------------------------------------------------

    def function(self, function: Function) -> bool:
        """Whether running a function of this module can be left to one worker."""
        if function not in self._functions:
            start: ast.AST = function
            for inner in inner_first(start, self._callees):  # deeper than Python's stack may be
                if isinstance(inner, FunctionNode) and inner not in self._functions:
                    self._functions[inner] = False  # recursion proves nothing
                    self._functions[inner] = self._runs(inner)
        return self._functions[function]

    def _callees(self, function: ast.AST) -> list[ast.AST]:
        return [each for each in self._graph.callees(function) if each not in self._functions]

    def _runs(self, function: Function) -> bool:
        self._around.append(function)
        found = self._runs_alone(function)
        self._around.pop()
        return found

    def _runs_alone(self, function: Function) -> bool:
        is_plain = isinstance(function, ast.FunctionDef) and not function.decorator_list
        block = [s for s in function.body if not changes_parameter(s, function)]
        return is_plain and block == function.body and self._block(block, (ast.Return,))

    def statement(self, node: ast.stmt) -> bool:
        """Whether a statement can be left to one worker, but for the names it binds."""
        if node not in self._statements:
            self._around.append(node)
            self._statements[node] = self._statement(node, ())
            self._around.pop()
        return self._statements[node]

    def along(self, node: ast.stmt, before: list[ast.stmt]) -> bool:
        """The same of a statement together with those before it: it may fill a list of theirs."""
        if self.statement(node):
            return True
        known, self._statements = self._statements, {}  # alone it is another answer
        self._around.append(ast.Module([*before, node], []))
        found = self._statement(node, ())
        self._around.pop()
        self._statements = known
        return found

    def _block(self, statements: list[ast.stmt], leaving: _Leaving) -> bool:
        return all(self._statement(statement, leaving) for statement in statements)

    def _statement(self, node: ast.stmt, leaving: _Leaving) -> bool:
        """`leaving`: the ways out that end inside of what is looked at."""
        if isinstance(node, (ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign)):
            return all(map(self._may_bind, targets(node))) and self.skippable(node.value)
        if isinstance(node, ast.Return):
            return ast.Return in leaving and self.skippable(node.value)
        if isinstance(node, ast.If):
            return self._branches(node, leaving)
        if isinstance(node, ast.For):
            body = self._block(node.body, (*leaving, ast.Break, ast.Continue))
            return body and self._for(node) and self._block(node.orelse, leaving)
        if isinstance(node, ast.With):
            is_inner = bool(self._around) and node is not self._around[-1]
            files = all(self._file(i) or (is_inner and self._is_read(i)) for i in node.items)
            return files and self._block(node.body, leaving)
        if isinstance(node, ast.Try) and not node.handlers:
            return all(self._block(b, leaving) for b in (node.body, node.finalbody))
        return isinstance(node, (ast.Pass, *leaving))

    def _may_bind(self, target: ast.AST) -> bool:
        """Whether nobody but this worker sees that something is bound."""
        if isinstance(target, ast.Name) or is_stored(self.facts, target):
            return True
        if not isinstance(target, ast.Subscript) or not self.skippable(target.slice):
            return False
        return is_written_file(self.facts, target.value) or self._is_own(target.value)

    def _branches(self, node: ast.If, leaving: _Leaving) -> bool:
        """An `elif` stands in the branch before: followed without recursion, and only once."""
        chain: list[ast.stmt] = []
        rest: list[ast.stmt] = [node]
        answer: bool | None = None
        while answer is None and len(rest) == 1 and isinstance(rest[0], ast.If):
            branch = rest[0]
            if not leaving and branch in self._statements:
                answer = self._statements[branch]
                break
            chain.append(branch)
            if not (self.skippable(branch.test) and self._block(branch.body, leaving)):
                answer = False
            rest = branch.orelse
        answer = self._block(rest, leaving) if answer is None else answer
        if not leaving and self._around[-1] is node:  # in more around it, more may be its own
            self._statements.update(dict.fromkeys(chain, answer))
        return answer

    def _for(self, node: ast.For) -> bool:
        is_plain = not self._is_iterator(node.iter) and self.skippable(node.iter)
        return is_plain and all(isinstance(t, ast.Name) for t in names_of(node.target))

    def _file(self, item: ast.withitem) -> bool:
        return self.is_output_file(item.context_expr) and isinstance(
            item.optional_vars, (ast.Name, type(None))
        )

    def _is_read(self, item: ast.withitem) -> bool:
        """A file that is opened to be read, within what is done for its own sake."""
        file, is_named = item.context_expr, isinstance(item.optional_vars, (ast.Name, type(None)))
        is_opened = isinstance(file, ast.Call) and opens(self.facts, file)
        return is_named and is_opened and self.skippable(file)

    def is_output_file(self, expr: ast.expr) -> bool:
        """`open(path, "w")` with a path that takes no effect to compute."""
        return opened_to_write(self.facts, expr) and self.skippable(expr)
