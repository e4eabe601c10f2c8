"""Everything the rules may ask about one text, computed once on its `ast`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property, partial, wraps
from typing import TYPE_CHECKING, Any, Callable, TypeVar

from ..library.effects import swallows
from ..model import Options
from ..program.bindings import Binding, Bindings
from ..program.call_sites import CallSites
from ..program.calls_by_name import CallsByName
from ..program.creations import Creations
from ..program.families import Families
from ..program.index import Index
from ..program.order import Order
from ..program.parts import Function
from ..program.precedence import Precedence, Run
from ..program.program import Program
from ..program.scope import Scope
from ..syntax import Source
from .arguments import argument, has_hidden_arguments
from .compiled_models import compiled_models
from .factories import Factories, module_of
from .keras_target import target
from .names import Names
from .questions import QUESTIONS
from .roles import Role, Roles
from .surroundings import Surroundings, is_in_loop

if TYPE_CHECKING:
    from ..project.joined import Joined

Record = TypeVar("Record")
MOST_STEPS = 2_000_000  # of the engine; the largest file of the corpus takes 44,000


class Facts:
    """The abstract tree of one module and the questions that the rules ask about it."""

    def __init__(
        self, source: Source, options: Options, joined: Joined | None = None, path: str = ""
    ) -> None:
        self.source, self._path, self.module = source, path, source.module
        # The statements of the file itself, where other modules of its project stand beside them.
        self.body = self.module.body if joined is None else joined.body
        self.joined, self.is_joined = joined, joined is not None
        self.index = Index(self.module)
        elsewhere = () if joined is None else joined.elsewhere
        self.names = Names(self.index, lambda: self._bindings, lambda: self.program, *elsewhere)
        self.classes = Families(
            self.index, lambda: self._bindings, lambda: self.program, self.names.name
        )
        self._sites = CallSites(self.index, self.classes, lambda: self.program)
        self._calls = CallsByName(self.index, self.names.name)
        self._around = Surroundings(self.index.parents)
        self._precedence = Precedence(self.index, self.function, self.call_sites)
        self._choose(options)

    def _choose(self, options: Options) -> None:
        """Answer for these settings; what was found out for others is forgotten."""
        path, joined = self._path, self.joined
        self.options = target(options, self.index, self.names)
        home = (lambda node: path) if joined is None else joined.home
        left = () if joined is None else joined.left
        unread = self.options.unread | {module_of(path).rpartition(".")[2] for path in left}
        made = (self._calls, self.names.name, lambda: self.program, unread)
        models = partial(compiled_models, *made)
        self.factories = Factories(self.names, self.classes, home, dict(options.factories), models)
        roles = Roles(
            self.names, self.classes, self.factories, lambda: self.program, self.source.text
        )
        self._roles, self.choice = roles, roles.choice
        self._records: dict[Callable[[Facts], Any], Any] = {}

    @classmethod
    def of(cls, text: str, options: Options | None = None, path: str = "") -> Facts:
        """The facts of a text. Raises SyntaxProblem."""
        return cls(Source(text), options or Options(), path=path)

    def chosen_otherwise(self, options: Options) -> Facts:
        """What is known of the same program if other rules are asked for."""
        other = copy(self)
        vars(other).update(program=self.program)  # whoever asked for it first
        other._choose(options)
        return other

    def record(self, make: Callable[[Facts], Record]) -> Record:
        """What `make` finds out about the module; it is asked once."""
        if make not in self._records:
            self._records[make] = make(self)
        return self._records[make]  # type: ignore[no-any-return]

    # -- places in the tree -------------------------------------------------------------------

    def parent(self, node: ast.AST) -> ast.AST | None:
        """The node that holds `node`."""
        return self.index.parents.get(node)

    def parents(self, node: ast.AST) -> Iterator[ast.AST]:
        """Everything around `node`, innermost first."""
        parent = self.index.parents.get(node)
        while parent is not None:
            yield parent
            parent = self.index.parents.get(parent)

    def statement(self, node: ast.AST) -> ast.stmt:
        """The innermost statement that `node` is or belongs to."""
        return node if isinstance(node, ast.stmt) else self._around.statement(node)

    def function(self, node: ast.AST) -> Function | None:
        """The innermost function around `node`."""
        return self._around.function(node)

    def top(self, statement: ast.stmt) -> ast.stmt:
        """The statement of the module that is `statement`, or holds it."""
        return self._around.top(statement)

    def cls(self, node: ast.AST) -> ast.ClassDef | None:
        """The innermost class around `node`."""
        return next((each for each in self.parents(node) if isinstance(each, ast.ClassDef)), None)

    def bindings(self, node: ast.AST) -> Sequence[Binding]:
        """What may have bound the name that `node` reads; nothing for builtins and other nodes."""
        return self._bindings.of(node)

    def reaching(self, use: ast.Name) -> Sequence[Binding]:
        """The bindings whose value `use` may load, the last in the text first."""
        return self._bindings.reaching(use, self._swallows)

    def _swallows(self, called: ast.expr) -> bool:
        return swallows(self.name(called) or str(getattr(called, "attr", "")))

    def bound(self, node: ast.AST) -> Mapping[str, Sequence[Binding]]:
        """The variables of the scope that a node makes, each with all that binds it."""
        return self._bindings.inside(self.index.scopes.of[node])

    @property
    def attribute_stores(self) -> Mapping[str, Sequence[tuple[ast.Attribute, Binding]]]:
        """By the attribute's name: each target that sets it, with what it is set to."""
        return self._bindings.of_attributes

    @cached_property
    def _bindings(self) -> Bindings:
        return Bindings(self.index, self.order)

    def scope(self, node: ast.AST) -> Scope:
        """The scope in which `node` is evaluated."""
        return self.index.scope_of(node)

    def readers(self, name: ast.Name) -> list[ast.Name]:
        """Where the variable of that name is read, in whatever function."""
        scope = self.scope(name).find(name.id)
        loads = (load for load in self.index.loads.get(name.id, ()) if isinstance(load, ast.Name))
        return [load for load in loads if self.scope(load).find(name.id) is scope]

    def block(self, statement: ast.stmt) -> tuple[list[ast.stmt], int]:
        """The list of statements that holds `statement`, and its number in it."""
        return self._around.block(statement)

    def comes_before(self, first: ast.stmt, second: ast.stmt) -> bool:
        """Whether what stands above the first statement has run wherever the second one does."""
        return self._around.comes_before(first, second)

    def may_precede(self, first: ast.AST, second: ast.AST) -> bool:
        """Whether `first` can run before `second`, as far as calls and loops say it."""
        return self._precedence.may_precede(first, second)

    def lifted(self, node: ast.AST, is_first: bool = False) -> list[Run]:
        """The node in its function, and the calls of that function in theirs, up to the module.

        `is_first`: where there are none, the definition of that function, in the function around.
        """
        return self._precedence.lifted(node, is_first)

    def in_loop(self, node: ast.AST) -> bool:
        """Whether `node` may run several times for one run of the function or module around it."""
        return is_in_loop(self.parents(node))

    @cached_property
    def program(self) -> Program:
        """The values of the module, and where they come from."""
        return Program({"": self.order}, QUESTIONS, MOST_STEPS)

    @cached_property
    def order(self) -> Order:
        """Which bindings each name may see."""
        return Order(self.module, self.index.scopes)

    # -- names, values and roles --------------------------------------------------------------

    def name(self, expr: ast.AST) -> str | None:
        """The canonical dotted name of a library thing."""
        return self.names.name(expr)

    def origins(self, expr: ast.AST) -> Creations:
        """The creating expressions that can flow to `expr`."""
        return self.program.origins(expr)

    def role(self, expr: ast.AST) -> Role | None:
        """The role that the value of `expr` plays, if it is the same wherever it comes from."""
        return self._roles.role(expr)

    def roles(self, expr: ast.AST) -> frozenset[Role | None]:
        """Every role that can flow to `expr`; None stands for values without a role."""
        return self._roles.roles(expr)

    def role_of_class(self, cls: ast.ClassDef) -> Role | None:
        """The role of the instances of a class of this module."""
        return self._roles.role_of_class(cls)

    def made_by(self, call: ast.Call) -> Role | None:
        """The role of what `call` creates."""
        return self._roles.made_by(call)

    def makes(self, call: ast.Call, role: Role) -> bool:
        """Whether `call` creates something with this role."""
        return self._roles.makes(call, role)

    def role_of_factory(self, call: ast.Call) -> Role | None:
        """The role that the settings give to what a call of code out of sight makes."""
        return self._roles.made_by(call) if self.factories.outside(call) else None

    def kind(self, call: ast.Call) -> str | None:
        """The canonical library class of what `call` creates, through user subclasses."""
        return self._roles.kind(call)

    def callee(self, call: ast.Call) -> Function | None:
        """The function or method of this module that `call` runs."""
        return self._sites.callee(call)

    def call_sites(self, function: ast.AST) -> list[ast.Call]:
        """Every call of a function of this module that can be seen."""
        return self._sites.call_sites(function)

    def escapes(self, function: ast.AST) -> bool:
        """Whether it is called in other ways, too: by code out of sight, in `map(f, a)`, as `+`."""
        return self._sites.escapes(function)

    def calls(self, *methods: str) -> Iterator[ast.Call]:
        """Calls of attributes with one of these names, in the order of the text."""
        return self._calls.of_methods(methods)

    def calls_of(self, *canonical: str) -> Iterator[ast.Call]:
        """Calls of library things with one of these canonical names."""
        return self._calls.of_names(canonical)

    argument = staticmethod(argument)
    has_hidden_arguments = staticmethod(has_hidden_arguments)

    def creations(self, role: Role) -> Iterator[ast.Call]:
        """Calls that create something with this role."""
        return (call for call in self.index.calls if self.makes(call, role))

    @cached_property
    def has_horovod(self) -> bool:
        """Whether Horovod is imported anywhere, also inside functions and `try`."""
        return bool(self.horovod_imports)

    @cached_property
    def horovod_imports(self) -> list[ast.Import | ast.ImportFrom]:
        """The statements that import Horovod, or a part of it."""
        return [node for node in self.index.imports if _imports_horovod(node)]

    def place(self, node: ast.AST) -> tuple[int, int]:
        """Line (from 1) and column (from 0, in characters) of a node."""
        return self.source.span(node)[:2]


def recorded(make: Callable[[Facts], Record]) -> Callable[[Facts], Record]:
    """A function that finds something out about a whole module, and remembers it there."""

    @wraps(make)
    def known(facts: Facts) -> Record:
        return facts.record(make)

    return known


def _imports_horovod(node: ast.Import | ast.ImportFrom) -> bool:
    if isinstance(node, ast.Import):
        return any(alias.name.split(".")[0] == "horovod" for alias in node.names)
    return not node.level and (node.module or "").split(".")[0] == "horovod"
