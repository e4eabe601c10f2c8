"""The roles that values play in training (the environment sigma of seeds 000 to 002)."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from enum import Enum
from functools import cached_property

from ..library.call_results import FACTORIES, MODEL_LIBRARIES, gives
from ..library.horovod_names import member_of
from ..library.names import normal
from ..library.optimizers import V1, every_class
from ..library.sessions import MANAGED
from ..program.domain import Domain
from ..program.families import Families
from ..program.program import Program
from ..program.things import Library
from .factories import Factories
from .names import Names
from .role_domain import known_roles

_BY_TEXT = "builtins.getattr"


class Role(Enum):
    """What a value is for the training."""

    OPTIMIZER = "optimizer"
    LOSS_SCALE = "loss-scaling optimizer"
    SCHEDULE = "learning-rate schedule"
    DATASET = "dataset"
    MODEL = "model"
    CHECKPOINT = "checkpoint"
    MANAGER = "checkpoint manager"
    TAPE = "gradient tape"
    CALLBACK = "callback"
    WRITER = "summary writer"
    EVENT_WRITER = "writer of TensorFlow 1"
    ESTIMATOR = "estimator"
    SESSION = "session"
    SUPERVISOR = "supervisor"


_BY_WORD = {
    "optimizer": Role.OPTIMIZER,
    "loss scale": Role.LOSS_SCALE,
    "schedule": Role.SCHEDULE,
    "dataset": Role.DATASET,
    "model": Role.MODEL,
    "checkpoint": Role.CHECKPOINT,
    "manager": Role.MANAGER,
    "tape": Role.TAPE,
    "callback": Role.CALLBACK,
    "writer": Role.WRITER,
    "event writer": Role.EVENT_WRITER,
    "estimator": Role.ESTIMATOR,
    "session": Role.SESSION,
    "supervisor": Role.SUPERVISOR,
}


_WORDS = {role: word for word, role in _BY_WORD.items()}

_BY_VALUE = (Role.SESSION, Role.OPTIMIZER)  # of what calls without a name in a library may make


def word_of(role: Role) -> str:
    """The word by which the tables of the library know a role."""
    return _WORDS[role]


def role_of_name(canonical: str | None) -> Role | None:
    """The role of what a library callable makes."""
    if canonical is None or not canonical.startswith(("tensorflow", *MODEL_LIBRARIES)):
        return Role.MODEL if member_of(canonical) == "load_model" else None
    return _BY_WORD.get(gives(canonical) or "")


class Roles:
    """Answers which role an expression's value plays, by the expressions that created it."""

    def __init__(
        self,
        names: Names,
        classes: Families,
        factories: Factories,
        program: Callable[[], Program],
        text: str,
    ) -> None:
        self._names, self._classes, self._program = names, classes, program
        # Where no optimizer is spelled none is chosen, and nothing has to be followed for it.
        self._may_choose = "optimizers" in text or "Optimizer" in text
        self._factories = factories
        self._made: dict[ast.Call, Role | None] = {}
        self._chosen: dict[ast.Call, tuple[str, ...]] = {}

    @cached_property
    def _known(self) -> Domain[frozenset[str]]:
        return known_roles(self._factories)

    def role(self, expr: ast.AST) -> Role | None:
        """The one role of everything known that can flow to `expr`, None when there are several."""
        found = self.roles(expr)
        return next(iter(found)) if len(found) == 1 else None

    def roles(self, expr: ast.AST) -> frozenset[Role | None]:
        """Every role that flows to `expr`; None stands for values without one."""
        found = self._program().value(self._known, expr)
        return frozenset(_BY_WORD.get(word) for word in found)

    def made_by(self, call: ast.Call) -> Role | None:
        """The role of what a creating call makes, through user subclasses."""
        if call not in self._made:
            self._made[call] = self._role_made_by(call, self._role_of_library)
        return self._made[call]

    def makes(self, call: ast.Call, role: Role) -> bool:
        """Whether `call` creates something with this role: sooner told than which role that is.

        Only where sessions and optimizers are made values are followed for it.
        """
        is_followed = role in _BY_VALUE or getattr(call.func, "attr", "") in MANAGED
        if is_followed or call in self._made:
            return self.made_by(call) is role
        return self._role_made_by(call, self._role_by_name) is role

    def _role_made_by(
        self, call: ast.Call, of_library: Callable[[ast.Call], Role | None]
    ) -> Role | None:
        if isinstance(call.func, ast.Attribute) and call.func.attr in FACTORIES:
            return role_of_name(self._names.name(call.func.value))
        cls = self._classes.local(call.func)
        if cls is None:
            named = self._factories.word_outside(call)
            return _BY_WORD[named] if named else of_library(call)
        return self.role_of_class(cls)

    def _role_of_library(self, call: ast.Call) -> Role | None:
        if self._manager(call) is not None:
            return Role.SESSION
        return Role.OPTIMIZER if self.choice(call) else self._role_by_name(call)

    def _role_by_name(self, call: ast.Call) -> Role | None:
        return role_of_name(self._names.name(call.func))

    def _manager(self, call: ast.Call) -> str | None:
        """The method of a supervisor by which a call makes a session."""
        method = getattr(call.func, "attr", "")
        is_one = method in MANAGED and self.role(call.func.value) is Role.SUPERVISOR  # type: ignore[attr-defined]
        return MANAGED[method] if is_one else None

    def choice(self, call: ast.Call) -> tuple[str, ...]:
        """The optimizer classes of Keras of which a call takes one: `OPTIMIZERS[name](rate)`.

        Empty where its name tells the class, or where one of them is unknown or no such class.
        """
        if call not in self._chosen:
            is_named = self._names.name(call.func) is not None
            is_none = is_named or not self._may_choose
            self._chosen[call] = () if is_none else self._choice(call.func)
        return self._chosen[call]

    def _choice(self, func: ast.expr) -> tuple[str, ...]:
        things = self._program().things(func)
        if not any(isinstance(thing, Library) for thing in things):
            return ()
        made = self._program().origins(func)
        each = [[None] if item.path else self._named(item.node) for item in made.items]
        names = [name for found in each for name in found]
        known = [n for n in names if n is not None and role_of_name(n) is Role.OPTIMIZER]
        is_known = len(known) == len(names) and not made.unknown
        is_known = is_known and not any(name.startswith((*V1, "horovod")) for name in known)
        return tuple(dict.fromkeys(known)) if is_known else ()

    def _named(self, node: ast.AST) -> Sequence[str | None]:
        """The names of a thing, of which `getattr(optimizers, name)` may be many."""
        if isinstance(node, ast.Call) and self._names.name(node.func) == _BY_TEXT and node.args[1:]:
            module, text = self._names.name(node.args[0]) or "", node.args[1]
            value = text.value if isinstance(text, ast.Constant) else None
            if isinstance(value, str):
                return [normal(f"{module}.{value}")]
            return every_class(module) or [None]
        return [self._names.name(node)]

    def role_of_class(self, cls: ast.ClassDef) -> Role | None:
        """The role of the instances of a class of this module."""
        found = (role_of_name(base) for base in self._classes.library_bases(cls))
        return next((role for role in found if role is not None), None)

    def kind(self, call: ast.Call) -> str | None:
        """The canonical library class that a creating call makes (the nearest base of a user's)."""
        cls = self._classes.local(call.func)
        if cls is None:
            named = self._names.name(call.func) or self._manager(call)
            return named or next(iter(self.choice(call)), None)
        bases = self._classes.library_bases(cls)
        return next((b for b in bases if role_of_name(b) is not None), bases[0] if bases else None)
