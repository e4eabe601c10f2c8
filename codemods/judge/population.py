"""Which examples there are, and which numbers stand for their texts: the same on all workers.

Shares are cut from what all workers have. A worker that has counted, chosen or numbered it by its
own chance has another number of steps, or another meaning of a class.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Callable

from ..library.agreement import CHANCE, GENERATOR, gives
from ..library.draws import PLACING
from ..library.element_counts import SIFTING
from ..library.updates import HASHES
from ..program.node_fields import within
from ..program.parts import COMPREHENSIONS, given_by
from ..program.records import NamedTuple
from .own import SAME, Level, Own, Owners
from .row_syntax import parts
from .rows import ALIKE, Rows, RowsOf

if TYPE_CHECKING:
    from ..facts import Facts

COUNTED = (
    "how many examples there are hangs on each worker's own chance here: they would take different "
    "numbers of steps, and wait for ever"
)
HASHED = (
    "Python hashes texts in another way in each process: what is numbered by it has another "
    "meaning on each worker"
)
SEED = "draw it from a generator with a seed that all workers share, `np.random.default_rng(0)`"
SORT = "number the texts in their order: `sorted(set(…))`"
SORT_NAMES = "sort the names where they are listed: `sorted(…)`"
_FIXES = {"chance": SEED, "order": SORT_NAMES}
CRC = "`zlib.crc32(text.encode())` gives the same in every process; or start with PYTHONHASHSEED=0"


DECIDES = (
    "each worker has an order of its own here, which decides who gets to see what: shares "
    "overlap, or one worker trains on what another one tests"
)


class Unlike(NamedTuple):
    """A place that makes the data another one on each worker, why, and what mends it.

    Not certain: it does so only if texts come there, which nobody can tell.
    """

    place: ast.AST
    why: str
    fix: str
    is_certain: bool = True


class Population:
    """The data of one program."""

    def __init__(self, facts: Facts, owners: Callable[[], Owners]) -> None:
        self._facts, self._program, self._owners = facts, facts.program, owners

    def unlike(self, data: list[ast.expr]) -> Iterator[Unlike]:
        """What makes it another one, by an order of texts or by a number of keys."""
        yield from self._reaching(data, self._hashed)
        if self._keyed:
            made = self._program.ingredients_of(data)
            bases = [base for node in made for base in self._bases(node)]
            yield from self._reaching(bases, self._keyed)

    def orders(self, data: list[ast.expr]) -> Iterator[Unlike]:
        """What decides who sees what, in an order of each worker's own.

        Of data sets that are gone through the rows of the steps tell whether shares overlap.
        """
        from ..facts.data.own_orders import alike, is_told, own_orders
        from ..library.draws import HASHED, SHUFFLED

        found: dict[ast.AST, Unlike] = {}
        for order in own_orders(self._facts):
            drawn = order.drawn
            if drawn is None or drawn.fix == SHUFFLED.fix or drawn is HASHED or drawn.is_of_groups:
                continue  # groups are refused by K04, and hashes where they reach the data
            if order.place not in alike(self._facts) and not is_told(self._facts, order.place):
                found[order.place] = Unlike(order.place, DECIDES, order.fix, is_certain=False)
        for each in self._of_cuts():
            found.setdefault(each.place, each)
        told = set(self._program.ingredients_of(found))  # with what makes numbers for them
        for each in self._picked(data):
            if each.place not in told:
                found.setdefault(each.place, each)
        yield from (each for each in found.values() if not self._is_of_own_share(each.place))

    def _of_cuts(self) -> Iterator[Unlike]:
        """Names in no order, of which shares are cut that overlap then."""
        cuts = (node for node in within(self._facts.module) if isinstance(node, ast.expr))
        for base in (base for node in cuts for base in self._bases(node)):
            own = self._owners().of(base)
            if own.kind == "order" and own.source is not None:
                yield Unlike(own.source, DECIDES, SORT_NAMES, is_certain=False)

    def _picked(self, data: list[ast.expr]) -> Iterator[Unlike]:
        """Draws of each worker's own that say, once and for all, who is taken or comes where."""
        from ..facts.data.own_orders import ingredients_of_training_data

        given = self._program.ingredients_of(data)
        each_time: list[ast.AST] = []
        for node in {*ingredients_of_training_data(self._facts), *given}:
            for place, own in self._deciding(node):
                if _can_be_alike(own):
                    yield from self._once(place, own)
                    each_time += [] if self._is_made_once(place) else [*self._places(node)]
        before = self._program.ingredients_of(each_time, self._is_broadcast)
        for node in before:
            own = self._owners().of(node) if self._is_draw(node) else SAME
            is_draw = own.kind == CHANCE and own.source in (None, node)
            yield from self._once(node, own) if is_draw else ()

    def _is_of_own_share(self, draw: ast.AST) -> bool:
        """Whether it parts, or puts in order, nothing but what is a worker's share already."""
        made = (n for n in within(self._facts.module) if isinstance(n, ast.Subscript))
        taken = [n.value for n in made if draw in self._program.ingredients(n.slice)]
        given = draw.args if isinstance(draw, ast.Call) else []
        found = {self._rows.of(each) & ~(ALIKE | Rows.NOISE) for each in (*given, *taken)}
        return found - {Rows.NOTHING} == {Rows.SHARE}

    def _once(self, place: ast.AST, own: Own) -> Iterator[Unlike]:
        if _can_be_alike(own) and self._is_made_once(place):
            yield Unlike(own.source or place, DECIDES, _FIXES[own.kind], is_certain=False)

    def _is_draw(self, node: ast.AST) -> bool:
        """Whether it may be one; what makes a generator draws nothing yet."""
        names = self._program.names(node.func) if isinstance(node, ast.Call) else ()
        return isinstance(node, ast.Call) and GENERATOR not in map(gives, names)

    def _deciding(self, node: ast.AST) -> Iterator[tuple[ast.AST, Own]]:
        """What decides which parts of something are taken, and where it does."""
        from .disagreements import disagreements

        yield from ((node, self._owners().of(each)) for each in self._places(node))
        if isinstance(node, ast.Subscript):  # whose order may be one's own
            whole = self._owners().of(node.value)
            yield from [(node, whole)] if whole.kind == "order" else []
        if isinstance(node, (ast.List, ast.Set)):
            fillings = disagreements(self._facts).fillings
            places = [p for thing in self._program.things(node) for p in fillings.of(thing)]
            yield from ((test, self._owners().of(test)) for test in fillings.tests(places))

    def _is_made_once(self, node: ast.AST) -> bool:
        """Not for a step, or for batches; with all the loops around that don't train."""
        from ..facts.data.own_orders import makes_batches
        from ..facts.training.training_loops import runs_once, trains

        facts = self._facts
        place: ast.AST = facts.statement(node)
        for loop in (p for p in facts.parents(node) if isinstance(p, (ast.For, ast.While))):
            place = place if trains(facts, loop) else loop
        return not makes_batches(facts, node) and runs_once(facts, place)

    def _places(self, node: ast.AST) -> Iterator[ast.expr]:
        """What says which parts of something are taken, or in which order."""
        if isinstance(node, ast.Subscript):
            yield from parts(node.slice)
        elif isinstance(node, COMPREHENSIONS):
            yield from (test for each in node.generators for test in each.ifs)
        elif isinstance(node, ast.Call):
            name = next(iter(self._program.names(node.func)), None)
            row = PLACING.get(name or f".{getattr(node.func, 'attr', '')}")
            given = self._facts.argument(node, *row) if row is not None else None
            functions = [] if given is None else self._program.functions(given).nodes
            said = [value for function in functions for value in given_by(function)]
            yield from said or ([] if given is None else [given])
            yield from self._sifted(node)

    def _sifted(self, call: ast.Call) -> Iterator[ast.expr]:
        """`data.filter(…)`, of what is made of numbers of chance among other things."""
        if isinstance(call.func, ast.Attribute) and call.func.attr in SIFTING:
            made = self._program.ingredients(call.func.value)
            yield from (each for each in made if isinstance(each, ast.Call))

    def _is_broadcast(self, node: ast.AST) -> bool:
        from ..facts.data.own_orders import is_broadcast

        return is_broadcast(self._facts, node)

    def _reaching(self, data: list[ast.expr], places: dict[ast.AST, Unlike]) -> Iterable[Unlike]:
        if not places or not data:
            return []
        reached = self._program.ingredients_of(data)
        return list(dict.fromkeys(places[node] for node in reached if node in places))

    def _bases(self, node: ast.AST) -> Iterator[ast.expr]:
        """What a worker's share is cut from."""
        if isinstance(node, (ast.Subscript, ast.Call)) and self._rows.cuts(node):
            base = node.value if isinstance(node, ast.Subscript) else node.func
            yield base.value if isinstance(base, ast.Attribute) else base

    @cached_property
    def _rows(self) -> RowsOf:
        return RowsOf(self._program)

    @cached_property
    def _hashed(self) -> dict[ast.AST, Unlike]:
        """Sets of texts that are gone through in their order, and numbers of `hash`."""
        from ..facts.data.round_orders import hashed_orders, is_of_texts

        found: dict[ast.AST, Unlike] = {
            each: Unlike(each, HASHED, SORT) for each in hashed_orders(self._facts)
        }
        for call in (n for n in within(self._facts.module) if isinstance(n, ast.Call)):
            if HASHES & {*self._program.names(call.func)} and call.args:
                made = self._program.origins(call.args[0])
                is_text = any(map(_is_text, made.nodes)) or is_of_texts(self._facts, call.args[0])
                if is_text or not made.complete:
                    found[call] = Unlike(call, HASHED, CRC, is_text)
        return found

    @cached_property
    def _keyed(self) -> dict[ast.AST, Unlike]:
        """Dictionaries whose keys each worker draws: how many there are, nobody can foresee."""
        found: dict[ast.AST, Unlike] = {}
        for node in within(self._facts.module):
            if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Store):
                continue
            made = [n for n in self._program.origins(node.value).nodes if _is_dictionary(n)]
            if made and self._owners().of(node.slice).level is Level.OWN:
                found.update((each, Unlike(node, COUNTED, SEED)) for each in made)
        return found


def _can_be_alike(own: Own) -> bool:
    """Whether it is a worker's own by what a seed, or sorting, would make the same for all."""
    return own.level is Level.OWN and own.kind in _FIXES


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _is_dictionary(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        return name in ("dict", "defaultdict", "Counter", "OrderedDict")
    return isinstance(node, (ast.Dict, ast.DictComp))
