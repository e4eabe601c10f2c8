"""Orders and draws that each worker would make for itself, and one seed makes the same for all."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from enum import Enum

from ...library.agreement import LENGTHS
from ...library.datasets import CALLED
from ...library.draws import HASHED, READ, SHUFFLED, TENSORFLOW, Draw, draw, is_sortable
from ...library.examples import BROADCASTS
from ...library.names import normal
from ...library.seeds import SEEDS
from ...program.node_fields import within
from ...program.parts import given_by
from ...program.records import NamedTuple
from ..agreement.orders_by_chance import own_draw
from ..facts import Facts, recorded
from ..horovod import is_wrapped
from ..training import fits
from ..training.training_loops import is_drawn_once, is_for_a_round, trains
from .array_loops import loops
from .batch_givers import batch_datasets
from .dealt import turns_of
from .drawn_batches import drawn_from, is_invented, seed_of_generator, seeded_draws
from .fit_arrays import arrays_of_fits
from .handed_batches import handed_batches
from .orders import DIFFERENTLY
from .pipeline_shares import shares_of
from .round_orders import hashed_orders, put_in_order
from .unknown_data import known_data
from .uses import Use

# -- seeded sources ------------------------------------------------------------------------------
# Sources that shuffle names, each worker in its own way: one seed lets them be shared out.


@recorded
def seeded_sources(facts: Facts) -> dict[ast.Call, int | None]:
    """The calls that get a seed, and the position at which it may stand."""
    data = shares_of(facts)
    ways = (*(way for end in data.ends for way in end.ways), *data.arms)
    cut = (way for way in ways if data.cuts_in(way))
    return dict(found for way in cut for found in data.orders.unseeded(way[0]))


# -- who sees what -------------------------------------------------------------------------------
# What decides which examples a worker sees: what they are made of, picked by, and looped over.

Found = frozenset[ast.AST]
_OF_FIT = ("x", "generator", "y", "sample_weight", "validation_data")
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@recorded
def ingredients_of_training_data(facts: Facts) -> Found:
    """All that the examples of training and validation are made from, and loops that make them."""
    return frozenset(_behind(facts, examples(facts)))


@recorded
def picking(facts: Facts) -> Found:
    """All that the numbers are made from by which examples are picked: `x[order]`."""
    subscripts = (
        node for node in ingredients_of_training_data(facts) if isinstance(node, ast.Subscript)
    )
    return frozenset(_behind(facts, [subscript.slice for subscript in subscripts]))


def examples(facts: Facts) -> Iterator[ast.expr]:
    """What every `fit` and `evaluate` is given, what loops that train run over, and hand out.

    And the data sets that steps of sessions take from.
    """
    for call in (*fits.fits(facts), *fits.tests(facts)):
        for name in _OF_FIT:
            yield from fits.arguments(facts, call, name)
    for node in facts.index.nodes(ast.For):
        if trains(facts, node):
            yield node.iter
    for arrays in handed_batches(facts).arrays.values():
        yield from arrays.held
    yield from (end.expr for end in shares_of(facts).ends if end.use is Use.TRAINING)


def _behind(facts: Facts, start: Iterable[ast.expr]) -> set[ast.AST]:
    """With what loops run over: `for name in names: data.append(load(name))`."""
    found: set[ast.AST] = set()
    waiting: list[ast.expr] = list(start)

    def is_length(node: ast.AST) -> bool:
        return isinstance(node, ast.Call) and facts.name(node.func) in LENGTHS

    further = facts.program.further(is_length)
    while waiting:
        expr = waiting.pop()
        if expr not in found:
            new = set(further(expr)) - found
            found |= new
            waiting += (over for node in new for over in _loops(facts, node))
            waiting += (held for node in new for held in _held(facts, node))
            waiting += (given for node in new for given in _called(facts, node))
    return found


def _held(facts: Facts, made: ast.AST) -> Iterator[ast.expr]:
    """What an object of the program's own keeps that gives examples by number."""
    cls = facts.classes.local(made.func) if isinstance(made, ast.Call) else None
    if cls is None or facts.classes.method(cls, "__getitem__") is None:
        return
    for node in (n for each in facts.classes.ancestors(cls) for n in within(each)):
        targets = node.targets if isinstance(node, ast.Assign) else []
        if any(isinstance(target, ast.Attribute) for target in targets):
            yield node.value  # type: ignore[attr-defined]


def _called(facts: Facts, made: ast.AST) -> Iterator[ast.expr]:
    """What the functions give that a data set calls for its elements."""
    is_called = isinstance(made, ast.Call) and getattr(made.func, "attr", "") in CALLED
    for function in facts.program.functions(made.args[0]).nodes if is_called and made.args else ():  # type: ignore[attr-defined]
        yield from given_by(function)


def _loops(facts: Facts, node: ast.AST) -> Iterator[ast.expr]:
    """What the loop around a value runs over that is put into a list there."""
    if isinstance(node, _COMPREHENSIONS):
        yield from (generator.iter for generator in node.generators)
    if isinstance(node, ast.expr):
        yield from (p.iter for p in facts.parents(node) if isinstance(p, ast.For))


# -- own orders ----------------------------------------------------------------------------------
# Where each worker would get examples in an order of its own, so that shares may overlap.

_PARTS = (Use.TRAINING, Use.VALIDATION)


class OwnOrder(NamedTuple):
    """A place that makes an order, and what makes it the same one on all workers."""

    place: ast.expr | ast.keyword
    fix: str
    drawn: Draw | None = None  # None where it is a dataset that is gone through


def own_orders(facts: Facts) -> Iterator[OwnOrder]:
    """Draws that nobody seeded, names and sets in no order, shuffled datasets made arrays."""
    for call in facts.index.calls:
        drawn = own_draw(facts, call)
        if drawn is not None and _counts(facts, call, drawn):
            yield OwnOrder(call, drawn.fix, drawn)
    yield from (OwnOrder(each, HASHED.fix, HASHED) for each in hashed_orders(facts))
    yield from _split(facts)
    yield from _gone_through(facts)


def _split(facts: Facts) -> Iterator[OwnOrder]:
    """Shuffles behind which a dataset is parted or dealt out: of two orders the parts overlap."""
    data = shares_of(facts)
    ways = (way for end in data.ends if end.use in _PARTS for way in end.ways)
    whole = (
        call
        for way in ways
        for call in data.orders.splits(way)
        if not data.cuts_in(way[: [stage.expr for stage in way].index(call)])
    )
    for call in dict.fromkeys((*whole, *data.seeded)):
        yield OwnOrder(call, SHUFFLED.fix, SHUFFLED._replace(seeds=(("seed", 1),)))


def _counts(facts: Facts, call: ast.Call, drawn: Draw) -> bool:
    """Whether it may decide who sees what."""
    if handed_batches(facts).has(call) or any(call in loop.orders for loop in loops(facts)):
        return False  # of a worker's own share
    if drawn.is_split:
        return True
    if drawn.only_as_index and call not in picking(facts):
        return False
    if drawn.only_for_data and call not in ingredients_of_training_data(facts):
        return False
    if drawn.is_listing:
        return is_cut(facts) and call not in put_in_order(facts)
    return not is_wanted(facts, call)


def _gone_through(facts: Facts) -> Iterator[OwnOrder]:
    """Datasets in an order of each worker's own that loops go through to make the data.

    Where no data is cut, no shares can overlap, and a seed would give all the same batches.
    """
    if not is_cut(facts):
        return
    data = shares_of(facts)
    models = {*fits.fits(facts), *fits.tests(facts)}
    for end in data.ends:
        if (
            end.use in (Use.OTHER, Use.PEEK)
            and end.by not in models
            and end.expr in ingredients_of_training_data(facts)
        ):
            reasons = (data.orders.why_differs(way, as_written=True) or "" for way in end.ways)
            ways = [w for why, w in zip(reasons, end.ways) if why.endswith(DIFFERENTLY)]
            place = data.orders.where_differs(ways[0]) if ways else None
            if place is not None:
                calls = dict(s for way in ways for s in data.orders.shuffles(way))
                yield from _shuffled(facts, place, calls)


def _shuffled(
    facts: Facts, place: ast.expr | ast.keyword, calls: dict[ast.Call, int | None]
) -> Iterator[OwnOrder]:
    """What shuffles the dataset and takes a seed, or where else its order comes from."""
    seeded = seeded_sources(facts)
    for call, position in calls.items():
        if call in seeded:
            continue
        yield OwnOrder(call, SHUFFLED.fix, SHUFFLED._replace(seeds=(("seed", position),)))
    is_told = not seeded.keys().isdisjoint(facts.program.ingredients(place))
    if not calls and not is_told:
        is_read = isinstance(place, ast.keyword) and place.arg == "shuffle_files"
        yield OwnOrder(place, READ if is_read else SHUFFLED.fix)


def is_wanted(facts: Facts, call: ast.Call) -> bool:
    """Whether an order of each worker's own is what makes its batches differ from the others'.

    Where all of the data is left to every worker, a seed would give all of them the same batches.
    """
    return makes_batches(facts, call) or is_drawn_for_a_round(facts, call)


def is_drawn_for_a_round(facts: Facts, call: ast.Call) -> bool:
    """Whether a loop that trains draws a new order each time, and none of the data is cut.

    Also in a function that makes its batches: `random.sample` in `next_batch()`.
    """
    if is_cut(facts):
        return False
    return is_for_a_round(facts, call)


def is_cut(facts: Facts) -> bool:
    """Whether any of the data is shared out."""
    cut = shares_of(facts).has_any or arrays_of_fits(facts) or loops(facts)
    return bool(cut or handed_batches(facts).arrays or batch_datasets(facts))


def makes_batches(facts: Facts, node: ast.AST) -> bool:
    """Whether it stands in a generator, or in a class that gives batches by number."""
    function, cls = facts.function(node), facts.cls(node)
    if cls is not None and facts.classes.method(cls, "__getitem__") is not None:
        return True
    inside = within(function) if function is not None else ()
    return any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in inside)


# -- alike ---------------------------------------------------------------------------------------
# Orders that each worker would make for itself, and that one seed makes the same for all.


class How(Enum):
    """What makes it the same order."""

    ARGUMENT = "an argument is the seed"
    MAKER = "a generator with a seed has a method of this name"
    SORTED = "names are sorted"
    LIST = "what makes a list of them sorts them"


class Alike(NamedTuple):
    """An expression, and what makes its value the same on all workers: an argument, a generator."""

    place: ast.expr
    how: How
    name: str = ""
    position: int | None = None


@recorded
def alike(facts: Facts) -> dict[ast.AST, Alike]:
    """By the place of each order; a program with a Horovod of its own may want it otherwise."""
    found: dict[ast.AST, Alike] = {}
    in_turns = {call for each in turns_of(facts).values() for call in each.orders}
    for order in own_orders(facts) if not is_wrapped(facts) else ():
        if is_told(facts, order.place) or order.place in in_turns:
            continue
        if order.drawn is HASHED and isinstance(order.place, ast.expr):
            found[order.place] = _sorted(facts, order.place)
        elif order.drawn is not None and isinstance(order.place, ast.Call):
            made = _made_alike(facts, order.place, order.drawn)
            found.update({} if made is None else {order.place: made})
    return found


@recorded
def _indices(facts: Facts) -> Found:
    """All that is made into the number, or the numbers, of a part: `x[order[:9]]`."""
    parts = (node.slice for node in facts.index.nodes(ast.Subscript))
    return frozenset(facts.program.ingredients_of(parts))


def is_told(facts: Facts, place: ast.AST) -> bool:
    """Whether worker 0 tells all what stands there: `hvd.broadcast_object(order, 0)`."""
    around = facts.parent(place)
    return around is not None and is_broadcast(facts, around)


def is_broadcast(facts: Facts, node: ast.AST) -> bool:
    """Whether a node is a call by which all get what worker 0 has."""
    names = facts.program.names(node.func) if isinstance(node, ast.Call) else ()
    return bool(names) and all(normal(name) in BROADCASTS for name in names)


def _sorted(facts: Facts, texts: ast.expr) -> Alike:
    """`sorted(set(words))` for `list(set(words))`, and around the set elsewhere."""
    call = facts.parent(texts)
    is_list = isinstance(call, ast.Call) and facts.name(call.func) == "builtins.list"
    return Alike(call, How.LIST) if is_list else Alike(texts, How.SORTED)  # type: ignore[arg-type]


def _made_alike(facts: Facts, call: ast.Call, drawn: Draw) -> Alike | None:
    if drawn.is_listing:
        method = getattr(call.func, "attr", "")
        is_list = is_sortable(facts.name(call.func), method)
        return Alike(call, How.SORTED) if is_list else None
    is_of_data = call in ingredients_of_training_data(facts) or call in _indices(facts)
    if not (drawn.is_split or is_cut(facts) or is_of_data):
        return None
    # One seed in a loop would draw one order all over.
    if not is_drawn_once(facts, call) and call not in shares_of(facts).seeded:
        return None
    if drawn.seeds and not facts.has_hidden_arguments(call):
        return Alike(call, How.ARGUMENT, *drawn.seeds[0])
    is_of_module = isinstance(call.func, ast.Attribute) and _is_numbers(facts, call.func, drawn)
    return Alike(call, How.MAKER, drawn.maker) if drawn.maker and is_of_module else None


def _is_numbers(facts: Facts, func: ast.Attribute, drawn: Draw) -> bool:
    """`np.random.shuffle`: the module stands before the name, and has the generator, too."""
    return facts.name(func.value) == drawn.numbers


# -- drawn alike ---------------------------------------------------------------------------------
# Examples that every worker draws alike, because one seed is given to all of them.
#
# All workers then compute the same gradient, as if there was one of them.

_TENSORS = f"{TENSORFLOW}."
_FLOWS = frozenset({"flow", "flow_from_directory", "flow_from_dataframe"})  # of Keras' generators
_ORDERS = frozenset({"shuffle", "list_files", "image_dataset_from_directory", "train_test_split"})


def common_seed(facts: Facts, values: Iterable[ast.expr]) -> ast.Call | None:
    """The call that seeds what the values are drawn from; None where they are read, or unseeded."""
    given = list(values)
    if is_invented(facts, given) or not is_invented(facts, given, seeds_count=False):
        return None
    return seed_of(facts, given)


def seed_of(facts: Facts, values: Iterable[ast.expr]) -> ast.Call | None:
    """The call that seeds what is drawn for the values, whatever else they are made of."""
    modules = set(drawn_from(facts, values))
    return next((call for call in _seeds(facts) if modules & set(_seeded_by(facts, call))), None)


def own_common_seed(facts: Facts, values: Iterable[ast.expr]) -> ast.expr | None:
    """The seed of a draw, or of an order of batches, that gives all workers the same examples."""
    given = list(values)
    for call in seeded_draws(facts, given):
        name, method = facts.name(call.func) or "", getattr(call.func, "attr", "")
        is_drawn = name.startswith(_TENSORS) and is_invented(facts, given, seeds_count=False)
        if (is_drawn and not is_invented(facts, given)) or (method in _FLOWS and not name):
            return seed_of_generator(call)
    return None


def parts_examples(facts: Facts, seed: ast.Call) -> bool:
    """Whether a split, an order, or data that is shared out may depend on the same seed."""
    modules = set(_seeded_by(facts, seed))
    if known_data(facts):
        return True
    for call in facts.index.calls:
        name = facts.name(call.func)
        drawn = None if name is None else draw(name)
        if drawn is not None and drawn.numbers in modules:
            return True
        method = call.func.attr if isinstance(call.func, ast.Attribute) else (name or "")
        if method in _ORDERS:
            return True
    return False


def _seeds(facts: Facts) -> Iterator[ast.Call]:
    for call in facts.index.calls:
        if facts.name(call.func) in SEEDS and len(call.args) == 1 and not call.keywords:
            yield call


def _seeded_by(facts: Facts, seed: ast.Call) -> tuple[str, ...]:
    return SEEDS[facts.name(seed.func) or ""]
