"""Which rows of the data a batch holds, of all that the workers have: the domain that *size* asks.

Which examples, not which numbers: what is computed from them, or added to them by chance, holds the
same rows. Each value has the set of answers that hold on some way to it.
"""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterable, Iterator
from enum import IntFlag
from functools import cached_property, reduce
from typing import Any

from ..library import examples
from ..library.agreement import is_rank, is_size, is_told
from ..library.draws import NUMPY, TENSORFLOW
from ..library.effects import gives_all
from ..library.launchers import ENVIRONMENT, SIZES, VARIABLES
from ..library.names import normal
from ..library.seeds import SEEDS, stream
from ..program.domain import Domain, Operands
from ..program.node_fields import within
from ..program.origins import Kind, Origin
from ..program.program import Program
from ..program.sizes import LENGTH, ROUNDS, TURNS
from ..program.things import Bound, Function, Library, Partial
from ..program.versions import Version
from .row_syntax import arguments_of, bound, is_beginning, pairs, parts, switch, unseeded


class Rows(IntFlag):
    """Whose rows they are; what is larger tells of both where two values meet in one."""

    NOTHING = 0
    NONE = 1  # no examples: a number, a text, a layer, a variable
    FIXED = 2  # numbers of chance that a seed makes the same for all
    NOISE = 4  # and those that each worker draws
    SAME = 8  # all workers have them, in one order
    UNKNOWN = 16
    ORDERED = 32  # all have them, each in an order of its own
    DRAWN = 64  # each worker picks or plays its own
    SHARE = 128  # cut by the worker's number
    OVERLAP = 256  # the same, of what each has in an order of its own


ALIKE = Rows.NONE | Rows.FIXED | Rows.SAME  # the same ones on all
OTHERS = Rows.NOISE | Rows.ORDERED | Rows.DRAWN | Rows.SHARE  # other ones on each worker
_ALL = tuple(Rows)
_RANK, _SIZE = 1, 2
_PLAIN = (LENGTH, ROUNDS, TURNS, "counter", "key", "callback")
_FIXED_ANSWERS = {examples.PLAYS: Rows.DRAWN, examples.NONE: Rows.NONE}
_CODE = (Function, Bound, Partial)


def met(values: Iterable[Rows]) -> Rows:
    """The rows of what is computed from several values; nothing where one of them is nothing."""
    return reduce(_met, values, Rows.NONE)


def _met(one: Rows, other: Rows) -> Rows:
    if other == Rows.NONE or not one:
        return one
    found = Rows.NOTHING
    for a in _ALL:
        for b in _ALL if a & one else ():
            found |= max(a, b) if b & other else Rows.NOTHING
    return found


def _each(value: Rows, kinds: Rows, by: Rows) -> Rows:
    """The value with another answer in the place of some."""
    return (value & ~kinds) | by if value & kinds else value


class RowsOf:
    """The rows of the values of one program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._ranked: Domain[int] = Domain(0, 0, int.__or__, self._ranks, suppose=self._ranks)
        self._domain: Domain[Rows] = Domain(
            Rows.NOTHING, Rows.UNKNOWN, Rows.__or__, self._create, suppose=self._create, at=self._at
        )
        calls = [
            node
            for module in program.modules.values()
            for node in within(module)
            if isinstance(node, ast.Call)
        ]
        self._calls, modules = calls, program.modules.values()
        self._readers: dict[ast.AST, bool] = {}
        self._seeded = {s for call in calls for s in self._seeded_by(call)}
        told = {node for module in program.modules.values() for node in self._told_in(module)}
        self._shuffled = {node for call in calls for node in self._shuffled_by(call)} - told
        asked = set(_asked(modules))
        always = {n for call in calls if call not in asked for n in self._shuffled_by(call)}
        self._perhaps = self._shuffled - always
        self._shuffled_names = {
            call.args[0].id
            for call in calls
            if call.args and isinstance(call.args[0], ast.Name) and any(self._shuffled_by(call))
        }
        self._cut = {node for call in calls for node in self._cut_by(call)}
        self._own_parts = {name for module in modules for name in self._cut_in(module)}

    @property
    def is_seeded(self) -> bool:
        """Whether the numbers of TensorFlow's chance are the same on all workers."""
        return TENSORFLOW in self._seeded

    def of(self, expr: ast.AST) -> Rows:
        """The rows of what an expression gives."""
        return self._program.value(self._domain, expr)

    def is_ranked(self, expr: ast.AST) -> bool:
        """Whether a number, slice or text is reckoned with the worker's number."""
        return bool(self._program.value(self._ranked, expr) & _RANK)

    def cuts(self, node: ast.AST) -> bool:
        """Whether syntax takes a worker's part of something, by its number."""
        if isinstance(node, ast.Subscript):
            return any(map(self.is_ranked, parts(node.slice)))
        if not isinstance(node, ast.Call):
            return False
        given = (a for a in arguments_of(node) if not self.is_share(a))
        marks = reduce(int.__or__, (self._program.value(self._ranked, a) for a in given), 0)
        return marks == _RANK | _SIZE

    def is_share(self, expr: ast.expr) -> bool:
        """Whether it is a worker's part already, or may be one: it says of none which is whose."""
        return bool(self.of(expr) & (Rows.SHARE | Rows.OVERLAP))

    def is_dealt(self, value: ast.expr) -> bool:
        """Whether all that it gives is cut by the worker's number: `yield turn[hvd.rank()]`."""
        if isinstance(value, ast.Name):
            return self._are_dealt(value, "for")
        if not isinstance(value, ast.Call):
            return False
        if self._name(value) in ("builtins.next", "builtins.iter") and value.args:
            asked = value.args[0]
            return self._are_dealt(asked, "assign") or self.is_dealt(asked)
        functions = self._program.functions(value.func)
        if not functions.nodes and value.args and gives_all(self._name(value)):
            return self.is_dealt(value.args[0])
        nodes = [node for function in functions.nodes for node in within(function)]
        given = [n.value for n in nodes if isinstance(n, (ast.Yield, ast.YieldFrom))]
        is_known = functions.is_complete and bool(given)
        return is_known and all(isinstance(y, ast.Subscript) and self.cuts(y) for y in given)

    # -- the program's own chance ---------------------------------------------------------------

    def _name(self, call: ast.Call) -> str:
        names = self._program.names(call.func)
        return normal(names[0]) if len(names) == 1 else ""

    def _seeded_by(self, call: ast.Call) -> tuple[str, ...]:
        """The streams that a call seeds with what all workers share."""
        streams = SEEDS.get(self._name(call), ()) if arguments_of(call) else ()
        return () if any(map(self.is_ranked, arguments_of(call))) else streams

    def _shuffled_by(self, call: ast.Call) -> Iterator[ast.AST]:
        """What makes the values that a call puts into an order by chance, in place."""
        if getattr(call.func, "attr", "") == "shuffle" and call.args and not self._is_alike(call):
            if self._name(call) or self._is_generator(call.func.value):  # type: ignore[attr-defined]
                yield from self._program.origins(call.args[0]).nodes

    def _told_in(self, module: ast.Module) -> Iterator[ast.AST]:
        """What makes the values that worker 0 tells all: `order[:] = hvd.broadcast(order, 0)`."""
        for node in within(module):
            is_told = isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
            if is_told and self._name(node.value) in examples.BROADCASTS:  # type: ignore[attr-defined]
                for target in node.targets:  # type: ignore[attr-defined]
                    if isinstance(target, ast.Subscript):
                        yield from self._program.origins(target.value).nodes

    def _cut_by(self, call: ast.Call) -> Iterator[ast.AST]:
        """What makes the values of which a call passes over those of other workers."""
        if self._name(call) == "itertools.islice" and any(map(self.is_ranked, call.args[1:])):
            yield from self._program.origins(call.args[0]).nodes

    def _cut_in(self, module: ast.Module) -> Iterator[str]:
        """The attributes that are cut in their place: `self.x = self.x[shard]`."""
        for node in within(module):
            if isinstance(node, ast.Assign):
                for target, value in pairs(node.targets[0], node.value):
                    is_part = isinstance(target, ast.Attribute) and isinstance(value, ast.Subscript)
                    if is_part and ast.unparse(target) == ast.unparse(value.value):  # type: ignore[attr-defined]
                        yield from [target.attr] if self.cuts(value) else []  # type: ignore[attr-defined]

    def _is_generator(self, expr: ast.AST) -> bool:
        made = self._program.origins(expr).nodes
        return any(isinstance(n, ast.Call) and self._name(n) in examples.GENERATORS for n in made)

    def _is_alike(self, call: ast.Call) -> bool:
        """Whether all workers draw the same: the call, its generator or its stream is seeded."""
        seeds = [k.value for k in call.keywords if k.arg in examples.SEED_ARGUMENTS]
        if isinstance(call.func, ast.Attribute) and call.func.attr in examples.SHUFFLES:
            seeds += call.args[1:2] if not self._name(call) else []
        seeds = [s for s in seeds if not (isinstance(s, ast.Constant) and s.value is None)]
        if seeds:
            return not any(map(self.is_ranked, seeds))
        name = self._name(call)
        if name:
            return stream(name) in self._seeded
        made = self._generators(call)
        if made:
            return all(map(self._is_seeded, made))
        is_keras = getattr(call.func, "attr", "") in examples.FLOWS
        return (NUMPY if is_keras else TENSORFLOW) in self._seeded

    def _reads_alike(self, call: ast.Call) -> bool:
        """Whether shuffled files are read in one order: `ReadConfig(shuffle_seed=0)`."""
        configs = [k.value for k in call.keywords if k.arg == "read_config"]
        made = (n for each in configs for n in self._program.origins(each).nodes)
        given = (k for n in made if isinstance(n, ast.Call) for k in n.keywords)
        seeds = [k.value for k in given if k.arg == "shuffle_seed"]
        return bool(seeds) and not any(map(self.is_ranked, seeds))

    def _generators(self, call: ast.Call) -> list[ast.Call]:
        """What makes the generator whose method a call is."""
        if not isinstance(call.func, ast.Attribute):
            return []
        made = self._program.origins(call.func.value).nodes
        calls = [node for node in made if isinstance(node, ast.Call)]
        return [each for each in calls if self._name(each) in examples.GENERATORS]

    def _is_seeded(self, made: ast.Call) -> bool:
        given = [
            a for a in arguments_of(made) if not (isinstance(a, ast.Constant) and a.value is None)
        ]
        return bool(given) and not any(map(self.is_ranked, given))

    # -- the worker's number --------------------------------------------------------------------

    def _ranks(self, origin: Origin, operands: Operands[int]) -> int:
        """Whether a value is reckoned with the worker's number, or with their count."""
        if origin.kind is Kind.CONSTANT:
            return _told(origin.name)
        if origin.kind is Kind.COMPUTED and isinstance(origin.node, ast.Compare):
            return 0
        if isinstance(origin.name, tuple) and len(origin.name) > 1:
            told = _told(origin.name[1])  # `os.environ["OMPI_COMM_WORLD_RANK"]`
            if told:
                return told
        labels = [label for label, _ in origin.operands if label != "func"]
        found = reduce(int.__or__, operands.of(origin, *labels), 0) if labels else 0
        if origin.kind is not Kind.CALL:
            return found
        name = normal(origin.name or _library(operands, origin))
        if is_rank(name) or is_size(name):
            return _RANK if is_rank(name) else _SIZE
        is_kept = examples.gives(name) is None and not is_told(name)
        return found if is_kept or name in ENVIRONMENT else 0

    # -- rows -----------------------------------------------------------------------------------

    def _at(self, key: Hashable, value: Rows) -> Rows:
        """What becomes of a value at a place of the text: `x[index]`, or what is shuffled later."""
        if value and isinstance(key, Version) and key.kind in ("for", "assign"):
            return self._of_round(key, value)
        if not value or not isinstance(key, ast.AST):
            return value
        if isinstance(key, ast.Subscript):
            return self._part(key, value)
        is_put = key in self._shuffled or (isinstance(key, ast.Name) and self._runs_over(key))
        if is_put and value & (ALIKE | Rows.UNKNOWN):
            put = _each(value, ALIKE | Rows.UNKNOWN, Rows.ORDERED)
            return value | put if key in self._perhaps else put
        if key in self._cut or (isinstance(key, ast.Attribute) and key.attr in self._own_parts):
            return Rows.SHARE
        if isinstance(key, ast.Call) and self._applies_share(key):
            return Rows.SHARE
        if isinstance(key, ast.Call) and examples.is_collected(self._name(key)):
            return met([value, self._collected])
        if isinstance(key, ast.Call) and self._holds_parts(key):  # whatever the engine sees in it
            return _each(value, Rows.UNKNOWN, self.of(key.args[0]))
        is_mixed = value & OTHERS and value & (Rows.SAME | Rows.UNKNOWN)
        return self._at_call(key, value) if is_mixed else value

    def _holds_parts(self, call: ast.Call) -> bool:
        """`dict(table)`: the columns of a table, which nobody has put there one by one."""
        return len(call.args) == 1 and not call.keywords and self._name(call) == "builtins.dict"

    def _of_round(self, bound: Version, value: Rows) -> Rows:
        """What is bound to a part of something: a worker's own where all of that is.

        The engine follows the parts of what a container holds, whoever takes it out of there.
        """
        is_dealt = isinstance(bound.value, ast.expr) and self.is_dealt(bound.value)
        if not is_dealt or not value & ~Rows.NONE:
            return value
        given = arguments_of(bound.value) if isinstance(bound.value, ast.Call) else []
        return _cut(met(map(self.of, given))) | _cut(value)

    def _are_dealt(self, name: ast.expr, kind: str) -> bool:
        """Whether each loop or assignment that binds a name binds it to what is dealt out."""
        seen = self._program.follow(name, until=lambda key: isinstance(key, Version))
        keys = [self._program.key(n) for n in seen]
        made = [k.value for k in keys if isinstance(k, Version) and k.kind == kind]
        are_all = bool(keys) and len(made) == len(keys)
        return are_all and all(isinstance(m, ast.expr) and self.is_dealt(m) for m in made)

    @property
    def _collected(self) -> Rows:
        """What is put into the collections of a graph, whatever their names."""
        put = (call for call in self._calls if examples.collects(self._name(call)))
        return met(self.of(each) for call in put for each in call.args)

    def _part(self, key: ast.Subscript, value: Rows) -> Rows:
        """The rows of `x[index]`: of a share, of what is picked, of the first of an order."""
        if any(map(self.is_ranked, parts(key.slice))):
            return _cut(value)
        if value == Rows.NONE:
            return value
        numbers = (n for n in within(key.slice) if isinstance(n, ast.Name))
        if self.is_dealt(key.value) or any(map(self.is_dealt, numbers)):
            return Rows.SHARE
        if value == Rows.ORDERED and is_beginning(key.slice):
            return Rows.DRAWN
        index = met(self.of(part) for part in parts(key.slice))
        return met([value, _each(index, Rows.NOISE, Rows.DRAWN)])

    def _applies_share(self, call: ast.Call) -> bool:
        """Whether a dataset gets a function that takes a worker's part: `.apply(lambda d: …)`."""
        if getattr(call.func, "attr", "") not in examples.APPLYING:
            return False
        functions = (f for a in call.args for f in self._program.functions(a).nodes)
        return any(self._asks_for_rank(node) for f in functions for node in within(f))

    def _asks_for_rank(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Call) and is_rank(self._name(node))

    def _at_call(self, key: ast.AST, value: Rows) -> Rows:
        """What a function gives that gets other rows from other calls: those of this call alone."""
        call = key if isinstance(key, ast.Call) else self._assigned(key)
        functions = self._program.functions(call.func).nodes if call is not None else ()
        if call is None or not functions or any(map(self._reads_own, functions)):
            return value
        made = self._makers(call)
        others = [*self._sites(functions), *(c for each in made for c in self._made_alike(each))]
        here = met(self.of(a) for each in (call, *made) for a in arguments_of(each))
        there = here
        for other in others:
            if other is not call and other not in made:
                there |= reduce(Rows.__or__, map(self.of, arguments_of(other)), Rows.NONE)
        here, there = _made_of(here, value), _made_of(there, value)
        return here if here and not value & ~(there | Rows.NONE) else value

    def _reads_own(self, function: ast.AST, depth: int = 3) -> bool:
        """Whether a function has examples that no argument of its names, or leads to."""
        if function not in self._readers:
            self._readers[function] = False  # where it calls itself
            calls = [node for node in within(function) if isinstance(node, ast.Call)]
            called = {f for c in calls for f in self._program.functions(c.func).nodes}
            is_deeper = bool(depth) and any(self._reads_own(f, depth - 1) for f in called)
            self._readers[function] = is_deeper or any(map(self._is_own_read, calls))
        return self._readers[function]

    def _is_own_read(self, call: ast.Call) -> bool:
        if examples.gives(self._name(call)) != examples.READS:
            return False
        made = (node for each in arguments_of(call) for node in self._program.ingredients(each))
        return not any(isinstance(node, ast.arg) for node in made)

    def _sites(self, functions: Iterable[ast.AST]) -> Iterator[ast.Call]:
        for function in functions:
            sites = self._program.call_sites(function).nodes  # type: ignore[arg-type]
            yield from (site for site in sites if isinstance(site, ast.Call))

    def _makers(self, call: ast.Call) -> list[ast.Call]:
        """What makes the object of the program whose method is called."""
        if not isinstance(call.func, ast.Attribute):
            return []
        made = self._program.origins(call.func.value)
        return [node for node in made.nodes if isinstance(node, ast.Call)]

    def _made_alike(self, made: ast.Call) -> Iterator[ast.Call]:
        """The calls that make objects of the same class."""
        for cls in self._program.classes(made.func).nodes:
            yield from self._constructions.get(cls, ())

    @cached_property
    def _constructions(self) -> dict[ast.AST, list[ast.Call]]:
        """The calls that make objects of each class of the program."""
        found: dict[ast.AST, list[ast.Call]] = {}
        for call in self._calls:
            for cls in self._program.classes(call.func).nodes:
                found.setdefault(cls, []).append(call)
        return found

    def _runs_over(self, name: ast.Name) -> bool:
        """Whether a loop over what is shuffled in place binds a name, and nothing else does."""
        made = self._bindings.get(name.id, []) if self._shuffled_names else []
        rounds = [node.iter for node in made if isinstance(node, (ast.For, ast.comprehension))]
        names = [{n.id for n in within(each) if isinstance(n, ast.Name)} for each in rounds]
        return (
            bool(made)
            and len(rounds) == len(made)
            and all(self._shuffled_names & each for each in names)
        )

    def _assigned(self, key: ast.AST) -> ast.Call | None:
        """The only call that a name is bound to, wherever in the text."""
        if not isinstance(key, ast.Name) or not isinstance(key.ctx, ast.Load):
            return None
        found = self._bindings.get(key.id, [])
        return found[0] if len(found) == 1 and isinstance(found[0], ast.Call) else None

    @cached_property
    def _bindings(self) -> dict[str, list[ast.AST]]:
        """What each name is bound to, wherever in the text; of a loop or parameter, its node."""
        found: dict[str, list[ast.AST]] = {}
        for node in (n for module in self._program.modules.values() for n in within(module)):
            for name in bound(node):
                made = node.value if isinstance(node, ast.Assign) else node
                found.setdefault(name, []).append(made)
        return found

    def _create(self, origin: Origin, operands: Operands[Rows]) -> Rows:
        if origin.kind in (Kind.CONSTANT, Kind.EXCEPTION):
            return Rows.NONE
        if origin.kind is Kind.THING:
            return _thing(origin, operands)
        if origin.kind is Kind.COMPUTED:
            return Rows.NONE if origin.name in _PLAIN else met(operands.of(origin))
        if origin.kind is Kind.CALL and isinstance(origin.node, ast.Call):
            return self._call(origin, origin.node, operands)
        step = origin.name
        if isinstance(step, tuple) and step[0] == "." and step[1] in examples.PLAIN_MEMBERS:
            return Rows.NONE
        is_known = origin.kind is Kind.MEMBER and bool(origin.operands)
        given = _values(origin, operands)
        if not all(given):
            return Rows.NOTHING
        return met([*given, Rows.NONE if is_known else Rows.UNKNOWN])

    def _call(self, origin: Origin, call: ast.Call, operands: Operands[Rows]) -> Rows:
        """What outside code gives."""
        given = _values(origin, operands)
        if not all(given):
            return Rows.NOTHING
        name = normal(origin.name or _library(operands, origin))
        rows = met(given)
        if not name:
            return self._method(call, rows)
        if is_rank(name) or is_size(name) or name.removeprefix("builtins.") in examples.PLAIN_CALLS:
            return Rows.NONE
        kind = examples.gives(name)
        if kind is not None:
            return self._given(kind, call, rows)
        if name.endswith(".from_generator") and any(map(self._draws, call.args[:1])):
            return met([rows, Rows.ORDERED])
        if name in examples.BROADCASTS:
            return _each(rows, OTHERS, Rows.SAME)
        if self.cuts(call):
            return _cut(rows)
        is_code = any(isinstance(t, _CODE) for t in _things(origin, operands))
        is_open = not examples.is_pure(name) or (is_code and not rows & ~(Rows.NONE | Rows.FIXED))
        return met([rows, Rows.UNKNOWN]) if is_open else rows

    def _given(self, kind: str, call: ast.Call, rows: Rows) -> Rows:
        """What a call gives of which a row tells; `rows` are those of its arguments."""
        if kind in _FIXED_ANSWERS:
            return _FIXED_ANSWERS[kind]
        if kind == examples.HOLDS:
            return _each(rows, Rows.NONE | Rows.FIXED, Rows.SAME)
        if kind == examples.NUMBERS:
            return met([rows, Rows.FIXED if self._is_alike(call) else Rows.NOISE])
        if kind == examples.PICKS:
            return met([rows, Rows.FIXED if self._is_alike(call) else Rows.DRAWN])
        if self.cuts(call) or any(map(self.is_ranked, unseeded(call))):
            return _cut(rows)
        rows = met([rows, Rows.SAME])
        is_alike = self._reads_alike if kind == examples.READS else self._is_alike
        is_on = switch(call, kind == examples.ORDERS)
        return rows if not is_on or is_alike(call) else met([rows, Rows.ORDERED])

    def _draws(self, given: ast.expr, depth: int = 3) -> bool:
        """Whether code of the program puts something into an order of each worker's own."""
        functions = self._program.functions(given).nodes
        calls = [n for f in functions for n in within(f) if isinstance(n, ast.Call)]
        orders = (c for c in calls if examples.gives(self._name(c)) == examples.ORDERS)
        if any(not self._is_alike(call) for call in orders):
            return True
        return bool(depth) and any(self._draws(call.func, depth - 1) for call in calls)

    def _method(self, call: ast.Call, rows: Rows) -> Rows:
        """What a method of outside code gives: a dataset, a generator of numbers, a model."""
        method = getattr(call.func, "attr", "")
        if method in examples.PLAIN_MEMBERS:
            return Rows.NONE
        if self._generators(call):
            kind = examples.PICKS if method in examples.PICKING else examples.NUMBERS
            kind = examples.ORDERS if method in examples.SHUFFLES else kind
            return self._given(kind, call, rows)
        if method in examples.FLOWS and not any(map(self.is_ranked, unseeded(call))):
            return self._given(examples.ORDERS, call, rows)
        if method in examples.SHUFFLES:
            is_alike = self._is_alike(call)
            return rows if is_alike else _each(rows, ALIKE | Rows.UNKNOWN, Rows.ORDERED)
        given = (a for a in arguments_of(call) if not self.is_share(a))
        return _cut(rows) if any(map(self.is_ranked, given)) else rows


def _cut(rows: Rows) -> Rows:
    """A worker's part of them: other examples than the others have, if these have one order."""
    return Rows.OVERLAP if rows & (Rows.ORDERED | Rows.OVERLAP) else Rows.SHARE


def _made_of(rows: Rows, value: Rows) -> Rows:
    """What a function may make of rows, as far as it is seen to give such values to anybody.

    It holds numbers as examples, and puts those that all have into an order of its own.
    """
    if rows & Rows.FIXED:
        rows |= value & Rows.SAME
    return rows | (value & Rows.ORDERED) if rows & (ALIKE | Rows.UNKNOWN) else rows


def _asked(modules: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """What stands under a test of a name alone, which a call may say no to: `if shuffle:`."""
    for test in (node for module in modules for node in within(module)):
        if isinstance(test, ast.If) and isinstance(test.test, ast.Name):
            yield from (inside for part in test.body for inside in within(part))


def _told(name: object) -> int:
    """What a variable of the environment tells a worker, by its name."""
    if not isinstance(name, str):
        return 0
    return _RANK * (name in VARIABLES) | _SIZE * (name in SIZES)


def _thing(origin: Origin, operands: Operands[Rows]) -> Rows:
    """A container is what it holds; a module out of sight may hold data."""
    if isinstance(origin.thing, Library):
        name = normal(origin.thing.name)
        return Rows.NONE if examples.is_pure(name) or examples.gives(name) else Rows.UNKNOWN
    return met(v for v in operands.of(origin, "of") if v) if origin.operands else Rows.NONE


def _values(origin: Origin, operands: Operands[Rows]) -> list[Rows]:
    """The rows of all that is given, without what is called."""
    labels = [label for label, _ in origin.operands if label != "func"]
    return operands.of(origin, *labels) if labels else []


def _things(origin: Origin, operands: Operands[Rows]) -> Iterator[object]:
    for label, _ in origin.operands:
        if label not in ("func", "receiver"):
            yield from operands.things(origin, label)


def _library(operands: Operands[Any], origin: Origin) -> str:
    called = [t.name for t in operands.things(origin, "func") if isinstance(t, Library)]
    return called[0] if len(called) == 1 else ""
