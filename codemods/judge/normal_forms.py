"""The form in which a program and its result on one worker are compared: a closed list.

Each form stands for something that a rewrite may do without changing what one worker does: a name
for a value, a share of one, a `with` of a tape that ends where its gradients are asked for.
Whatever else differs is a difference.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Collection, Iterator
from copy import deepcopy
from typing import Callable

from ..library.estimators import by_name
from ..library.estimators import is_default as is_default_of_estimator
from ..library.names import in_v1
from ..library.one_worker import (
    BACKUP,
    DEFAULTS,
    DROPPED,
    GRADIENTS,
    HELPERS,
    MAKES,
    NO_SETTINGS,
    PINNED,
    QUIET,
    SEEDED,
    SESSIONS,
    UNORDERED,
)
from ..library.optimizers import KERAS_3_RATES, OPTIMIZER_RATES, OPTIMIZERS, V1_RATES, of_string
from .one_worker import Block, Imports, Worker, blocks, gone, is_gone, shape

_LOOPS = (ast.For, ast.AsyncFor, ast.While, ast.If, ast.With, ast.AsyncWith)
_NUMBERED = re.compile(r"_\d+$")  # of a name that was taken
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def normal(tree: ast.Module, known: Collection[str] | None = None, passes: int = 1) -> ast.Module:
    """The normal form of a tree, which is changed; `known`: the names that the original has.

    Without `known` the tree is the original itself, whose every name is its own. `passes`: as of
    Worker.
    """
    imports = Imports(tree)
    own = frozenset() if known is None else fresh_names(tree, known)
    tree = Worker(imports, 0, 1, passes).visit(tree)
    for _ in range(2):  # what is put in place of a name may be a form again
        tree = Forms(imports, own).visit(tree)
        tree = Worker(imports, 0, 1).visit(tree)
        Blocks(imports, own).clean(tree)
        if own:
            Names(imports, own).put_in(tree)
    Forms(imports, own).visit(tree)
    Blocks(imports, own).clean(tree)
    return tree


def names_of(tree: ast.Module) -> set[str]:
    """The names that a text binds or reads, and its attributes behind a dot."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, (*_DEFINITIONS, ast.arg)):
            found.add(node.arg if isinstance(node, ast.arg) else node.name)
        elif isinstance(node, ast.alias):
            found.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.Attribute):
            found.add(f".{node.attr}")
    return found


def fresh_names(tree: ast.Module, known: Collection[str]) -> frozenset[str]:
    """The names and attributes that a result binds and the original doesn't have."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Store):
            found.add(node.id if isinstance(node, ast.Name) else f".{node.attr}")
        elif isinstance(node, (*_DEFINITIONS, ast.arg)):
            found.add(node.arg if isinstance(node, ast.arg) else node.name)
    return frozenset(found - set(known))


def helper(name: str, fresh: Collection[str]) -> str | None:
    """What a helper that a result defines means to one worker; None for what is none."""
    return HELPERS.get(_NUMBERED.sub("", name)) if name in fresh else None


class Forms(ast.NodeTransformer):
    """Expressions in their normal form."""

    def __init__(self, imports: Imports, fresh: Collection[str]) -> None:
        self._imports, self._fresh = imports, fresh
        self._gone: set[str] = set()  # attributes that only a result has, and that are nothing

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        """An attribute that is nothing, and `x[:] = x`, are no statement."""
        self.generic_visit(node)
        (target, *others) = node.targets
        if (
            is_gone(node.value)
            and isinstance(target, ast.Attribute)
            and f".{target.attr}" in self._fresh
        ):
            self._gone.add(f".{target.attr}")
            return ast.Pass()
        is_all = isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Slice)
        if is_all and not others and shape(target.value) == shape(node.value):  # type: ignore[attr-defined]
            return ast.Pass()
        return node

    def _helper(self, node: ast.Call, means: str) -> ast.AST:
        """What a call of a helper is to one worker: nothing, its argument, or another class."""
        if not means:
            return gone()
        if means == "_":
            return node.args[0]
        node.func = ast.Name(means, ast.Load())
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """A call by what it is called, then by its method."""
        is_of_elements = len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp)
        self.generic_visit(node)
        if is_of_elements and not isinstance(node.args[0], ast.GeneratorExp):
            return node.args[0]
        name = self._imports.full(node.func) or ""
        node.keywords = [k for k in node.keywords if not self._is_default(name, k)]
        if name == BACKUP:
            node.func = ast.Name("<BackupAndRestore>", ast.Load())
        if ".estimator." in name:
            _optimizers_by_name(name, node)
        means = helper(name, self._fresh)
        if means is not None:
            return self._helper(node, means)
        if name.startswith(OPTIMIZERS) or name in _V1_OPTIMIZERS:
            return _optimizer(node, name.rpartition(".")[2])
        if name in GRADIENTS:
            node.func = ast.Name("<gradients>", ast.Load())
        if len(node.args) == 1 and not node.keywords and self._is_copy(name, node.args[0]):
            return node.args[0]
        if name == "tensorflow.nest.map_structure" and _is_identity(node.args[0]):
            return node.args[1]
        row = _METHODS.get(_method(node))
        return (row(node) if row is not None else None) or node

    def _is_copy(self, called: str, of: ast.expr) -> bool:
        """Whether a list, or a sorted one, is made of pairs, or of what has no order."""
        if called not in ("list", "tuple", "sorted"):
            return False
        while isinstance(of, ast.BinOp):
            of = of.left
        made = self._imports.full(of.func) or "" if isinstance(of, ast.Call) else ""
        is_unordered = isinstance(of, ast.Set) or made in UNORDERED
        return (is_unordered and called != "tuple") or (made == "zip" and called != "sorted")

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """`np.random.RandomState(0).permutation` is `np.random.permutation`, but for the seed."""
        self.generic_visit(node)
        if f".{node.attr}" in self._gone and isinstance(node.ctx, ast.Load):
            return gone()
        maker = node.value
        if isinstance(maker, ast.Call) and [_constant(a) for a in maker.args] == [0]:
            module = SEEDED.get(self._imports.full(maker.func) or "")
            if module is not None:
                node.value = ast.parse(module, mode="eval").body
        return node

    def _is_default(self, called: str, keyword: ast.keyword) -> bool:
        """Whether an argument says what would be so without it."""
        value, known = keyword.value, DEFAULTS.get(keyword.arg or "", ())
        if isinstance(value, ast.Call):
            name = self._imports.full(value.func) or ""
            if (keyword.arg or "").endswith("optimizer") and ".estimator." in called:
                return is_default_of_estimator(
                    called, name.strip("<>"), [_constant(a) for a in value.args]
                )
            return name in NO_SETTINGS and not value.args and not value.keywords
        if isinstance(value, ast.List):
            return not value.elts and [] in known
        if keyword.arg == "default" and called.startswith("json.dump"):
            return self._imports.full(value) == "float"  # numbers that an average gave
        if keyword.arg == "custom_objects" and isinstance(value, ast.Dict):
            return all(map(self._names_itself, value.keys, value.values))
        return isinstance(value, ast.Constant) and any(value.value is each for each in known)

    def _names_itself(self, key: ast.expr | None, value: ast.expr) -> bool:
        """Whether a class is known by its own name."""
        name = self._imports.full(value) or ""
        return key is not None and name.rpartition(".")[2].strip("<>") == _constant(key)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """`x[slice(0, len(x), 1)]` and `x[0::1]` are x; one of one gradients is the gradient."""
        self.generic_visit(node)
        if _constant(node.slice) == 0 and _method(node.value) == "gradient":
            sources = node.value.args[1:2]  # type: ignore[attr-defined]
            if sources and isinstance(sources[0], ast.List) and len(sources[0].elts) == 1:
                node.value.args[1] = sources[0].elts[0]  # type: ignore[attr-defined]
                return node.value
        return node.value if _is_all(node.slice) else node

    def visit_For(self, node: ast.For) -> ast.AST:
        """A loop that hands a value from layer to layer is `x = run(layers, x)` (D501)."""
        self.generic_visit(node)
        (first, *others) = node.body
        call = first.value if isinstance(first, ast.Assign) else None
        if others or not isinstance(call, ast.Call) or shape(call.func) != shape(node.target):
            return node
        if shape(call.args) != shape(first.targets):  # type: ignore[attr-defined]
            return node
        given = [node.iter, *call.args, *(keyword.value for keyword in call.keywords)]
        first.value = ast.Call(ast.Name("<run>", ast.Load()), given, [])  # type: ignore[attr-defined]
        return first

    def visit_List(self, node: ast.List) -> ast.AST:
        """`[a, *[b]]` is `[a, b]`."""
        self.generic_visit(node)
        node.elts = [inner for each in node.elts for inner in _spread(each)]
        return node

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        """A list of the elements of x as they are is x."""
        self.generic_visit(node)
        return _gradients(node) or _elements(node) or node

    visit_GeneratorExp = visit_SetComp = visit_ListComp  # type: ignore[assignment]

    def visit_DictComp(self, node: ast.DictComp) -> ast.AST:
        """`{key: value for key, value in x.items()}` is x."""
        self.generic_visit(node)
        (first, *others) = node.generators
        if others or first.ifs or _method(first.iter) != "items":
            return node
        is_same = shape(ast.Tuple([node.key, node.value], ast.Load())) == shape(first.target)
        return first.iter.func.value if is_same else node  # type: ignore[attr-defined, no-any-return]

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        """`None if x is None else x` is x."""
        self.generic_visit(node)
        if shape(node.body) == shape(node.orelse):
            return node.body
        test = node.test
        is_none = isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Is)
        is_same = is_none and shape(test.left) == shape(node.orelse)  # type: ignore[attr-defined]
        return node.orelse if is_same and _is_none(node.body) else node


def _spread(element: ast.expr) -> list[ast.expr]:
    is_list = isinstance(element, ast.Starred) and isinstance(element.value, ast.List)
    return element.value.elts if is_list else [element]  # type: ignore[attr-defined, no-any-return]


def _is_identity(node: ast.AST) -> bool:
    """Whether it is `lambda x: x`."""
    if not isinstance(node, ast.Lambda) or len(node.args.args) != 1:
        return False
    return isinstance(node.body, ast.Name) and node.body.id == node.args.args[0].arg


def _gradients(node: ast.ListComp) -> ast.expr | None:
    """`[g for g, _ in optimizer.compute_gradients(…)]` is `tf.gradients(…)`."""
    first, target = node.generators[0], node.generators[0].target
    if not (isinstance(target, ast.Tuple) and _method(first.iter) == "compute_gradients"):
        return None
    return ast.Call(ast.Name("<gradients>", ast.Load()), first.iter.args, first.iter.keywords)  # type: ignore[attr-defined]


def _elements(node: ast.ListComp) -> ast.expr | None:
    (first, *others) = node.generators
    first.ifs = [each for each in first.ifs if _constant(each) is not True]
    same = shape(node.elt) == shape(first.target)
    if others or first.ifs or not same:
        return None
    found = first.iter
    is_default = isinstance(found, ast.BoolOp) and isinstance(found.op, ast.Or)
    if is_default and isinstance(found.values[-1], ast.List) and not found.values[-1].elts:  # type: ignore[attr-defined]
        return found.values[0]  # type: ignore[attr-defined, no-any-return]
    return found


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


_V1_OPTIMIZERS = in_v1(*(f"train.{name}" for name in V1_RATES))


def _optimizer(node: ast.Call, cls: str) -> ast.AST:
    """An optimizer without the rate that is its class's own."""
    known = [
        rows[cls].default for rows in (OPTIMIZER_RATES, V1_RATES, KERAS_3_RATES) if cls in rows
    ]
    rates = [float(default) for default in known if default is not None]
    node.func = ast.Name(f"<{cls}>", ast.Load())
    if not rates:
        return node
    for keyword in node.keywords:
        keyword.arg = "learning_rate" if keyword.arg == "lr" else keyword.arg
    node.keywords = [
        k for k in node.keywords if k.arg != "learning_rate" or _constant(k.value) not in rates
    ]
    if len(node.args) == 1 and _constant(node.args[0]) in rates:
        node.args = []
    return node


def _name_optimizer(node: ast.Call) -> None:
    """`compile("sgd", …)` names a class, and without a name it is RMSprop."""
    if any(k.arg == "<optimizer>" for k in node.keywords):
        return
    named = next((k for k in node.keywords if k.arg == "optimizer"), None)
    given = named.value if named else node.args[0] if node.args else ast.Constant("rmsprop")
    cls = (
        of_string(given.value)
        if isinstance(given, ast.Constant) and isinstance(given.value, str)
        else None
    )
    rest = [k for k in node.keywords if k is not named]
    if named is None and node.args:
        node.args = node.args[1:]
    if cls is not None:
        given = ast.Call(ast.Name(f"<{cls}>", ast.Load()), [], [])
    node.keywords = [ast.keyword("<optimizer>", given), *rest]


def _whole(node: ast.Call) -> ast.AST | None:
    """`.take(len(x)).shard(1, 0)` and its like are the data set itself."""
    if [_constant(a) for a in node.args] != [1, 0]:
        return None
    data = node.func.value  # type: ignore[attr-defined]
    return _below(data) if _method(data) == "take" or _groups(data) else data  # type: ignore[no-any-return]


def _batched_again(node: ast.Call) -> ast.AST | None:
    """`x.unbatch().batch(n)` is x, whose batches have n examples."""
    below = node.func.value  # type: ignore[attr-defined]
    return below.func.value if _method(below) == "unbatch" else None


def _applied(node: ast.Call) -> ast.AST | None:
    """`x.apply(lambda d: d)` is x."""
    return node.func.value if node.args and _is_identity(node.args[0]) else None  # type: ignore[attr-defined, no-any-return]


def _at_least_none(node: ast.Call) -> None:
    """`.take(max(0, n))` takes n."""
    (given, *_) = node.args or [None]
    if isinstance(given, ast.Call) and len(given.args) == 2 and _constant(given.args[0]) == 0:
        node.args[0] = given.args[1]


def _all_of_its_steps(node: ast.Call) -> None:
    """`fit(x, steps_per_epoch=len(x))` is `fit(x)`."""
    data = shape(node.args[0]) if node.args else None
    node.keywords = [
        k
        for k in node.keywords
        if not (
            k.arg == "steps_per_epoch" and _is_length(k.value) and shape(k.value.args[0]) == data
        )  # type: ignore[attr-defined]
    ]
    for keyword in node.keywords:
        if keyword.arg is None and isinstance(keyword.value, ast.Dict):
            keyword.value = _completed(keyword.value)


def _completed(options: ast.Dict) -> ast.expr:
    """`{**options, "callbacks": options["callbacks"]}` is options."""
    (first, *others) = options.values
    is_spread = bool(options.keys) and options.keys[0] is None
    own = [
        shape(ast.Subscript(first, key, ast.Load())) == shape(value)
        for key, value in zip(options.keys[1:], others)
        if key is not None
    ]
    return first if is_spread and len(own) == len(others) and all(own) else options


def _first_of_pairs(node: ast.Call) -> ast.AST | None:
    """`tf.data.Dataset.zip((x, x)).map(lambda own, last: own)` is x."""
    pairs, row = node.func.value, node.args[0] if node.args else None  # type: ignore[attr-defined]
    if _method(pairs) != "zip" or not isinstance(row, ast.Lambda) or len(row.args.args) != 2:
        return None
    of = getattr(pairs.args[0], "elts", ())
    is_first = isinstance(row.body, ast.Name) and row.body.id == row.args.args[0].arg
    return of[0] if is_first and len(of) == 2 and shape(of[0]) == shape(of[1]) else None


def _pairs(node: ast.Call) -> None:
    """`apply_gradients(list(x))` is `apply_gradients(x)`."""
    (given, *_) = node.args or [None]
    if isinstance(given, ast.Call) and isinstance(given.func, ast.Name) and given.func.id == "list":
        node.args[:1] = given.args


def _steps(node: ast.Call) -> None:
    """An Estimator whose folder is empty takes `max_steps` steps."""
    for keyword in node.keywords:
        keyword.arg = "steps" if keyword.arg == "max_steps" else keyword.arg


_METHODS: dict[str, Callable[[ast.Call], ast.AST | None]] = {
    "apply": _applied,
    "apply_gradients": _pairs,
    "batch": _batched_again,
    "compile": _name_optimizer,
    "fit": _all_of_its_steps,
    "map": _first_of_pairs,
    "shard": _whole,
    "take": _at_least_none,
    "train": _steps,
}


def _ends_in(target: ast.AST, names: list[str]) -> bool:
    """Whether an attribute, or a key, is the last of these names, behind the others."""
    if isinstance(target, ast.Subscript):
        return _constant(target.slice) == names[-1]
    for name in reversed(names):
        if not (isinstance(target, ast.Attribute) and target.attr == name):
            return False
        target = target.value
    return True


def _method(node: ast.AST) -> str:
    is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    return node.func.attr if is_call else ""  # type: ignore[attr-defined]


def _below(node: ast.AST) -> ast.expr:
    """The data set that a stage, or the two stages of a group, stand behind."""
    below = node.func.value  # type: ignore[attr-defined]
    return below.func.value if _method(node) == "unbatch" else below  # type: ignore[no-any-return]


def _groups(node: ast.AST) -> bool:
    """Whether it is `.batch(1, drop_remainder=True).unbatch()`."""
    if _method(node) != "unbatch":
        return False
    batch = node.func.value  # type: ignore[attr-defined]
    return _method(batch) == "batch" and [_constant(a) for a in batch.args] == [1]


def _constant(node: ast.AST) -> object:
    return node.value if isinstance(node, ast.Constant) else None


def _is_all(index: ast.AST) -> bool:
    """Whether a slice takes all of what it is taken of."""
    if isinstance(index, ast.Slice):
        lower, step = (_constant(each) if each else None for each in (index.lower, index.step))
        is_open = index.upper is None or _is_length(index.upper)
        return is_open and lower == 0 and step == 1
    if not (isinstance(index, ast.Call) and isinstance(index.func, ast.Name)):
        return False
    if index.func.id != "slice" or len(index.args) != 3:
        return False
    lower, upper, step = index.args
    return _constant(lower) == 0 and _constant(step) == 1 and _is_length(upper)


def _is_length(node: ast.AST) -> bool:
    is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    return is_call and node.func.id == "len"  # type: ignore[attr-defined]


# -- statements --------------------------------------------------------------------------------


class Blocks:
    """Blocks without the statements that do nothing on one worker."""

    def __init__(self, imports: Imports, fresh: Collection[str]) -> None:
        self._imports, self._fresh = imports, fresh
        self._read: set[str] | None = None  # the names that are read; None: not asked yet

    def clean(self, node: ast.AST) -> None:
        """Clean all blocks below a node, the innermost first."""
        if isinstance(node, ast.Module):
            self._read = set(_read_outside(node, frozenset()))
            self._runs = any(_method(n) in ("run", "eval") for n in ast.walk(node))
        for block in blocks(node):
            for statement in block:
                self.clean(statement)
            block[:] = [each for s in block for each in self._left(s)] or [ast.Pass()]
            _rates_put_in(block)
        if isinstance(node, ast.Module):
            node.body = [s for s in node.body if not isinstance(s, ast.Pass)]

    def _left(self, statement: ast.stmt) -> Iterator[ast.stmt]:
        if isinstance(statement, (ast.With, ast.AsyncWith)):
            yield from self._with(statement)
        elif not (self._does_nothing(statement) or self._is_of_helpers(statement)):
            yield statement

    def _does_nothing(self, statement: ast.stmt) -> bool:
        if isinstance(statement, ast.Pass):
            return True
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            return self._is_new_import(statement)
        if isinstance(statement, (ast.If, ast.For, ast.While)):
            return self._is_empty(statement)
        return self._is_flag(statement) or self._pins(statement) or self._is_idle(statement)

    def _is_idle(self, statement: ast.stmt) -> bool:
        """Whether it makes a session, or its configuration, for nobody."""
        if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Call):
            return False
        made = self._imports.full(statement.value.func) or ""
        (target, *others) = statement.targets
        is_read = not isinstance(target, ast.Name) or target.id in (self._read or ())
        is_known = made in NO_SETTINGS or (made in SESSIONS and not self._runs)
        return is_known and not others and not is_read

    def _is_new_import(self, statement: ast.Import | ast.ImportFrom) -> bool:
        names = [alias.asname or alias.name for alias in statement.names]
        module = getattr(statement, "module", None) or names[0]
        full = [alias.name for alias in statement.names]
        of_horovod = module.split(".")[0] == "horovod" or full[0].split(".")[0] == "horovod"
        return of_horovod or full[0] in ("os", "contextlib", "tensorflow")

    def _is_empty(self, statement: ast.stmt) -> bool:
        """Whether nothing is left in it, and what it asks changes nothing."""
        if any(not isinstance(s, ast.Pass) for block in blocks(statement) for s in block):
            return False
        head = statement.iter if isinstance(statement, ast.For) else statement.test  # type: ignore[attr-defined]
        return is_quiet(head, self._imports)

    def _is_flag(self, statement: ast.stmt) -> bool:
        """`done = tf.Variable(False)`, `done.assign(True)`, `self.done = True` of a new name."""
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            call = statement.value
            return _method(call) == "assign" and self._is_fresh(call.func.value)  # type: ignore[attr-defined]
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            return False
        value = statement.value
        if isinstance(value, ast.Call) and value.args:
            value = value.args[0] if _method(value) == "Variable" else value
        return self._is_fresh(statement.targets[0]) and isinstance(_constant(value), bool)

    def _is_fresh(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Subscript):
            return self._is_fresh(node.value)
        name = f".{node.attr}" if isinstance(node, ast.Attribute) else getattr(node, "id", "")
        return name in self._fresh

    def _pins(self, statement: ast.stmt) -> bool:
        """Whether it only chooses a GPU."""
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            return (self._imports.full(statement.value.func) or "") in DROPPED
        if not isinstance(statement, ast.Assign):
            return False
        value = statement.value
        if isinstance(value, ast.Call) and (self._imports.full(value.func) or "") in DROPPED:
            return True
        return any(_ends_in(statement.targets[0], word.split(".")) for word in PINNED)

    def _is_of_helpers(self, statement: ast.stmt) -> bool:
        return (
            isinstance(statement, _DEFINITIONS)
            and statement.name in self._fresh
            and any(statement.name.startswith(each) for each in HELPERS)
        )

    # -- tapes --------------------------------------------------------------------------------

    def _with(self, statement: ast.With | ast.AsyncWith) -> Iterator[ast.stmt]:
        """A tape ends where its gradients are first asked for: what follows may stand behind."""
        if all(isinstance(s, ast.Pass) for s in statement.body) and self._is_graph(statement):
            return
        tapes = [item for item in statement.items if self._is_tape(item.context_expr)]
        if len(tapes) != len(statement.items):
            yield statement
            return
        names = {shape(t.optional_vars) for t in tapes if t.optional_vars is not None}
        for number, each in enumerate(statement.body):
            if any(_method(n) in ("gradient", "jacobian") and shape(n.func.value) in names  # type: ignore[attr-defined]
                   for n in ast.walk(each)):  # fmt: skip
                behind = statement.body[number:]
                statement.body = statement.body[:number] or [ast.Pass()]
                yield statement
                yield from behind
                return
        yield statement

    def _is_graph(self, statement: ast.With | ast.AsyncWith) -> bool:
        """Whether it only enters a graph, in which nothing is left to make."""
        return all(_method(item.context_expr) == "as_default" for item in statement.items)

    def _is_tape(self, expr: ast.expr) -> bool:
        name = self._imports.full(expr.func) if isinstance(expr, ast.Call) else None
        return name == "tensorflow.GradientTape"


def _optimizers_by_name(maker: str, node: ast.Call) -> None:
    """A ready-made model of TensorFlow 1 that is given "SGD" has that class, with its own rate."""
    for keyword in node.keywords:
        found = by_name(maker, _constant(keyword.value)) if keyword.arg == "optimizer" else None
        if found is not None:
            cls, rate = found
            keyword.value = ast.Call(ast.Name(f"<{cls}>", ast.Load()), [ast.Constant(rate)], [])


def _rates_put_in(block: Block) -> None:
    """`o = SGD(0.1)` and `o.learning_rate = r` behind it are `o = SGD(r)`."""
    for number in range(len(block) - 1, 0, -1):
        made, put = block[number - 1], block[number]
        if not (isinstance(made, ast.Assign) and isinstance(put, ast.Assign)):
            continue
        call, target = made.value, put.targets[0]
        is_rate = isinstance(target, ast.Attribute) and target.attr == "learning_rate"
        is_own = is_rate and shape(target.value) == shape(made.targets[0])  # type: ignore[attr-defined]
        cls = getattr(getattr(call, "func", None), "id", "").strip("<>")
        if is_own and isinstance(call, ast.Call) and cls in OPTIMIZER_RATES:
            call.args[:1] = [put.value]
            call.keywords = [k for k in call.keywords if k.arg != "learning_rate"]
            del block[number]


def is_quiet(expr: ast.AST, imports: Imports) -> bool:
    """Whether evaluating an expression changes nothing and nobody sees when it is done."""
    for node in ast.walk(expr):
        if isinstance(node, (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)):
            return False
        if isinstance(node, ast.Call) and not is_gone(node):
            name = imports.full(node.func) or ""
            if name not in QUIET and name not in DROPPED and not MAKES.search(name):
                return False
    return True


# -- names -------------------------------------------------------------------------------------


class Names:
    """Puts values in place of the names that only a result has."""

    def __init__(self, imports: Imports, fresh: Collection[str]) -> None:
        self._imports, self._fresh = imports, fresh

    def put_in(self, tree: ast.Module) -> None:
        """Do so in the whole tree, scope by scope, the outermost first."""
        self._scope(tree, {})

    def _scope(self, scope: ast.AST, around: dict[str, ast.expr]) -> None:
        known = dict(around)
        for block in blocks(scope):
            self._block(block, known, scope)
        for inner in _inner(scope):
            self._scope(inner, known)

    def _block(self, block: Block, known: dict[str, ast.expr], scope: ast.AST) -> None:
        uses = Counter(n.id for n in ast.walk(scope) if _is_load(n))
        left: Block = []
        for number, statement in enumerate(block):
            _Put(known).visit_own(statement)
            name = self._named(statement)
            if name is not None:
                value = statement.value  # type: ignore[attr-defined]
                quiet = is_quiet(value, self._imports)
                if quiet or self._is_next(name, block[number + 1 :]):
                    known[name] = value
                    continue
                if uses[name] == 0:
                    statement = ast.Expr(value)
            left.append(statement)
            if not isinstance(statement, _DEFINITIONS):
                for inner in blocks(statement):
                    self._block(inner, known, scope)
        block[:] = left or [ast.Pass()]

    def _named(self, statement: ast.stmt) -> str | None:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            if isinstance(target, ast.Name) and target.id in self._fresh:
                return target.id
        return None

    def _is_next(self, name: str, behind: Block) -> bool:
        """Whether the value is used once, before anything else has an effect."""
        for number, statement in enumerate(behind):
            uses = _uses(name, statement)
            if uses:
                return uses == 1 and not self._is_used(name, behind[number + 1 :])
            if self._named(statement) is None:
                return False
        return False

    def _is_used(self, name: str, behind: Block) -> bool:
        """Whether a name is read before it is bound anew."""
        for statement in behind:
            if _uses(name, statement):
                return True
            if self._named(statement) == name:
                return False
        return False


def _uses(name: str, node: ast.AST) -> int:
    return sum(_is_load(n) and n.id == name for n in ast.walk(node))  # type: ignore[attr-defined]


def _read_outside(node: ast.AST, own: Collection[str]) -> Iterator[str]:
    """The names that are read below a node, but for those that functions bind for themselves."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            inside = {n.arg for n in ast.walk(child.args) if isinstance(n, ast.arg)}
            yield from _read_outside(child, {*own, *inside})
        elif _is_load(child):
            if child.id not in own:  # type: ignore[attr-defined]
                yield child.id  # type: ignore[attr-defined]
        else:
            yield from _read_outside(child, own)


def _is_load(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)


def _inner(scope: ast.AST) -> Iterator[ast.AST]:
    """The functions and classes whose blocks stand in a scope."""
    waiting = list(ast.iter_child_nodes(scope))
    while waiting:
        node = waiting.pop()
        if isinstance(node, _DEFINITIONS):
            yield node
        else:
            waiting.extend(ast.iter_child_nodes(node))


class _Put(ast.NodeTransformer):
    """Puts values in place of names, in a statement but not in its blocks."""

    def __init__(self, known: dict[str, ast.expr]) -> None:
        self._known = known

    def visit_own(self, statement: ast.stmt) -> None:
        """The expressions of a statement itself."""
        for field, value in ast.iter_fields(statement):
            if isinstance(value, ast.AST):
                setattr(statement, field, self.visit(value))
            elif isinstance(value, list) and value and not isinstance(value[0], ast.stmt):
                found = [self.visit(v) if isinstance(v, ast.AST) else v for v in value]
                setattr(statement, field, found)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """The value of a name, a copy for each."""
        if isinstance(node.ctx, ast.Load) and node.id in self._known:
            return deepcopy(self._known[node.id])
        return node
