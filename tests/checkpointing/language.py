"""The core language, e ::= c | x | λx.e | e e | if e then e else e | ◇e | e•e, in threaded CPS.

Seed 004, "Threading Step Counts and Limits in CPS Conversion". An expression is given its
environment and its continuation, and says what is to be done next; the step count and the limit
are threaded by `machine.advance`, which asks before each expression. Continuations are data
(frames), so that a capsule can be looked into.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Union

from checkpointing.heap import Cell, Heap, Number
from checkpointing.operations import BINARY, UNARY, is_true


class Todo(NamedTuple):
    """Evaluate an expression (in an environment), and give its value to a continuation."""

    expression: Expression
    environment: Binding | None
    continuation: Frame | None


class Give(NamedTuple):
    """A value for a continuation; without one, the value of the program."""

    value: object
    continuation: Frame | None


Next = Union[Todo, Give]


class Expression:
    """What a program is made of; programs are no storage."""

    def evaluate(self, at: Binding | None, then: Frame | None, heap: Heap) -> Next:
        """One step."""
        raise NotImplementedError


class Binding(Cell):
    """A variable's value, and the environment around it."""

    def __init__(self, heap: Heap, name: str, value: object, around: Binding | None) -> None:
        super().__init__(heap)
        self.name, self.value, self.around = name, value, around

    def parts(self) -> tuple[object, ...]:
        return self.value, self.around


class Closure(Cell):
    """A function with its environment."""

    def __init__(self, heap: Heap, function: Lambda, environment: Binding | None) -> None:
        super().__init__(heap)
        self.function, self.environment = function, environment

    def parts(self) -> tuple[object, ...]:
        return (self.environment,)

    def call(self, value: object, then: Frame | None) -> Todo:
        """What is to be done for the function's value."""
        bound = Binding(self.heap, self.function.name, value, self.environment)
        return Todo(self.function.body, bound, then)


class Frame(Cell):
    """A continuation: what an expression does with the value of a part of it, and what is then."""

    def __init__(self, heap: Heap, expression: Expression, held: object, then: Frame | None):
        super().__init__(heap)
        self.expression, self.held, self.then = expression, held, then

    def parts(self) -> tuple[object, ...]:
        return self.held, self.then

    def take(self, value: object) -> Next:
        """What is to be done with the value."""
        raise NotImplementedError


@dataclass(frozen=True)
class Constant(Expression):
    value: float

    def evaluate(self, at: Binding | None, then: Frame | None, heap: Heap) -> Next:
        return Give(Number(heap, self.value), then)


@dataclass(frozen=True)
class Variable(Expression):
    name: str

    def evaluate(self, at: Binding | None, then: Frame | None, heap: Heap) -> Next:
        while at is not None:
            if at.name == self.name:
                return Give(at.value, then)
            at = at.around
        raise NameError(self.name)


@dataclass(frozen=True)
class Lambda(Expression):
    name: str
    body: Expression

    def evaluate(self, at: Binding | None, then: Frame | None, heap: Heap) -> Next:
        return Give(Closure(heap, self, at), then)


@dataclass(frozen=True)
class Apply(Expression):
    function: Expression
    argument: Expression

    def evaluate(self, at: Binding | None, then: Frame | None, heap: Heap) -> Next:
        return Todo(self.function, at, Called(heap, self, at, then))


class Called(Frame):
    """Has the function; its argument comes next."""

    def take(self, value: object) -> Next:
        assert isinstance(self.expression, Apply)
        then = Calls(self.heap, self.expression, value, self.then)
        return Todo(self.expression.argument, self.held, then)  # type: ignore[arg-type]


class Calls(Frame):
    """Has the argument too."""

    def take(self, value: object) -> Next:
        assert isinstance(self.held, Closure)
        return self.held.call(value, self.then)


@dataclass(frozen=True)
class If(Expression):
    test: Expression
    yes: Expression
    no: Expression

    def evaluate(self, at: Binding | None, then: Frame | None, heap: Heap) -> Next:
        return Todo(self.test, at, Chooses(heap, self, at, then))


class Chooses(Frame):
    def take(self, value: object) -> Next:
        assert isinstance(self.expression, If)
        chosen = self.expression.yes if is_true(value) else self.expression.no
        return Todo(chosen, self.held, self.then)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Unary(Expression):
    operator: str
    operand: Expression

    def evaluate(self, at: Binding | None, then: Frame | None, heap: Heap) -> Next:
        return Todo(self.operand, at, Operates(heap, self, None, then))


class Operates(Frame):
    def take(self, value: object) -> Next:
        assert isinstance(self.expression, Unary)
        return Give(UNARY[self.expression.operator](self.heap, value), self.then)


@dataclass(frozen=True)
class Binary(Expression):
    operator: str
    left: Expression
    right: Expression

    def evaluate(self, at: Binding | None, then: Frame | None, heap: Heap) -> Next:
        return Todo(self.left, at, HasLeft(heap, self, at, then))


class HasLeft(Frame):
    def take(self, value: object) -> Next:
        assert isinstance(self.expression, Binary)
        then = HasBoth(self.heap, self.expression, value, self.then)
        return Todo(self.expression.right, self.held, then)  # type: ignore[arg-type]


class HasBoth(Frame):
    def take(self, value: object) -> Next:
        assert isinstance(self.expression, Binary)
        return Give(BINARY[self.expression.operator](self.heap, self.held, value), self.then)
