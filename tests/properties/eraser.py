"""An oracle of its own: takes out of a result what distify puts into programs.

It knows nothing of places, facts or rules. What is left must be the original again, but for a few
liberties that `same.py` names.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple, Union

Found = Union[ast.AST, list[ast.AST], None]


class Remains(AssertionError):
    """Something of Horovod's is in the result that this oracle can't explain."""


def erased(before: ast.Module, after: ast.Module) -> ast.Module:
    """The result without what was inserted, in normal form; changes it. Raises Remains."""
    eraser = _Eraser(before, after)
    module = after
    module.body = eraser.without_start(module.body)
    module = normal(eraser.visit(module))
    for node in ast.walk(module):
        if isinstance(node, ast.Name) and node.id in eraser.horovod:
            raise Remains(f"line {node.lineno}: {ast.unparse(node)} was left")
    return module


def normal(module: ast.Module) -> ast.Module:
    """Without imports, blocks of tapes, choices of a GPU: where both sides may differ."""
    found: ast.Module = _Normal().visit(module)
    for node in ast.walk(found):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            _join_lists(body)
    return found


def _join_lists(body: list[ast.stmt]) -> None:
    """What is appended right behind a list is one of its elements: rank 0 may do it later."""
    for number in range(len(body) - 2, -1, -1):
        made = body[number]
        value = made.value if isinstance(made, ast.Assign) else None
        while isinstance(value, ast.List) and number + 1 < len(body):
            put = _put(body[number + 1], ast.unparse(made.targets[0]))  # type: ignore[attr-defined]
            if put is None:
                break
            value.elts[put.at(value) : put.at(value)] = put.elements
            del body[number + 1]


class Put(NamedTuple):
    """What is put into a list, and whether at its beginning."""

    elements: list[ast.expr]
    is_first: bool = False

    def at(self, held: ast.List) -> int:
        return 0 if self.is_first else len(held.elts)


def _put(statement: ast.AST, target: str) -> Put | None:
    """`callbacks.append(element)`, `callbacks.insert(0, element)`, `callbacks += [element]`."""
    if isinstance(statement, ast.AugAssign) and isinstance(statement.value, ast.List):
        is_ours = ast.unparse(statement.target) == target
        return Put(statement.value.elts) if is_ours else None
    call: Any = statement.value if isinstance(statement, ast.Expr) else None
    if not is_call(call, "append", "insert") or ast.unparse(call.func.value) != target:
        return None
    return Put([call.args[-1]], call.func.attr == "insert")


def identifiers(module: ast.AST) -> set[str]:
    """Every name that occurs; attributes begin with a dot, keywords of calls are none."""
    found: set[str] = set()
    for node in ast.walk(module):
        if isinstance(node, ast.Attribute):
            found.add(f".{node.attr}")
        elif isinstance(node, ast.alias):
            found.add((node.asname or node.name).partition(".")[0])
        elif not isinstance(node, ast.keyword):
            fields = (getattr(node, field, None) for field in ("id", "arg", "name", "rest"))
            found.update(name for name in fields if isinstance(name, str))
        found.update(name for name in getattr(node, "names", ()) if isinstance(name, str))
    return found


def horovod_names(module: ast.AST) -> set[str]:
    """The names under which Horovod is imported."""
    found: set[str] = set()
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            found.update(
                alias.asname or alias.name for alias in node.names if "horovod" in alias.name
            )
    return found


def is_call(node: object, *attributes: str) -> bool:
    """Whether it calls a method or function of these names."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in attributes
    )


class _Eraser(ast.NodeTransformer):
    def __init__(self, before: ast.Module, after: ast.Module) -> None:
        self.horovod = horovod_names(after)
        self.new = identifiers(after) - identifiers(before)
        definitions = (n for n in ast.walk(after) if isinstance(n, (ast.FunctionDef, ast.ClassDef)))
        found = {definition.name: definition for definition in definitions}
        self.helpers = found.keys() & self.new
        # A class that stands for its base, as the callback that ends with the others.
        self.bases = {
            name: partial(ast.Call, each.bases[0], [], [])
            for name, each in found.items()
            if isinstance(each, ast.ClassDef) and each.bases
        }
        self.values: dict[str, ast.expr] = {}
        self.made: dict[str, ast.expr] = {}  # the last value of each target
        self.sets_rates = ".learning_rate" in identifiers(before)

    # -- questions

    def mentions(self, node: ast.AST | None) -> bool:
        return node is not None and any(
            isinstance(n, ast.Name) and n.id in self.horovod for n in ast.walk(node)
        )

    def is_horovods(self, node: object, *attributes: str) -> bool:
        """Whether it is a call of that function of Horovod."""
        return (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id in self.horovod
            and node.func.attr in attributes
        )

    def key(self, target: ast.AST) -> str | None:
        """The inserted name that a target is."""
        if isinstance(target, ast.Name) and target.id in self.new:
            return target.id
        if isinstance(target, ast.Attribute) and f".{target.attr}" in self.new:
            return f".{target.attr}"
        return None

    # -- the start of Horovod

    def without_start(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        starts = [
            n
            for n, s in enumerate(body)
            if isinstance(s, ast.Expr) and self.is_horovods(s.value, "init")
        ]
        if len(starts) != 1:
            raise Remains(f"{len(starts)} statements hvd.init() in the module")
        first = starts[0]
        block = [ast.unparse(s) for s in body[first + 1 : first + 4]]
        wanted = ("config.list_physical_devices('GPU')", "set_memory_growth(", "local_rank()]")
        if not all(part in text for part, text in zip(wanted, block)):
            raise Remains(f"no GPU is chosen behind hvd.init(): {block}")
        return [*body[:first], *body[first + 4 :]]

    # -- statements

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST | None:
        """`distributed`, which wraps the optimizer of a model that was loaded, is Horovod's."""
        return None if node.name in self.helpers else self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST | None:
        """`AverageMetrics`, where Horovod's own fails beside Keras 3."""
        return None if node.name in self.helpers else self.generic_visit(node)

    def visit_If(self, node: ast.If) -> Found:
        test = node.test
        if isinstance(test, ast.UnaryOp) and self.key(test.operand) is not None:
            return None  # `if not broadcast_done:`
        if self.is_rank_test(test) and not node.orelse:
            return self.block(node.body)
        return self.generic_visit(node)

    def is_rank_test(self, test: ast.AST) -> bool:
        return isinstance(test, ast.Compare) and self.is_horovods(test.left, "rank")

    def block(self, body: Sequence[ast.AST]) -> list[ast.AST]:
        found: list[ast.AST] = []
        for statement in body:
            visited: Any = self.visit(statement)
            found += visited if isinstance(visited, list) else [visited] if visited else []
        return found

    def visit_Expr(self, node: ast.Expr) -> Found:
        if self.is_horovods(node.value, "broadcast", "broadcast_variables"):
            return None
        if "TF_USE_LEGACY_KERAS" in ast.unparse(node) or self._is_put(node):
            return None
        return self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> Found:
        return None if self._is_put(node) else self.generic_visit(node)

    def visit_Assert(self, node: ast.Assert) -> Found:
        """That no share is empty is a line of ours."""
        return None if self.mentions(node.test) else self.generic_visit(node)

    def _is_put(self, statement: ast.Expr | ast.AugAssign) -> bool:
        """Whether it puts an element into a list that has a name since: it is put there, then."""
        added = statement.value if isinstance(statement, ast.Expr) else None
        is_method = is_call(added, "append", "insert")
        target = added.func.value if is_method else getattr(statement, "target", None)  # type: ignore[union-attr]
        name = self.key(target) if target is not None else None
        held = self.values.get(name) if name is not None else None
        put = _put(statement, ast.unparse(target)) if target is not None else None
        if not isinstance(held, ast.List) or put is None:
            return False
        held.elts[put.at(held) : put.at(held)] = [self.visit(each) for each in put.elements]
        return True

    def visit_Assign(self, node: ast.Assign) -> Found:
        target = node.targets[0]
        name = self.key(target) if len(node.targets) == 1 else None
        if name is not None and is_slice(node.value):
            self.values[name] = node.value
            return None
        touched = self.mentions(node.value) or any(
            self.key(n) is not None for n in ast.walk(node.value)
        )
        node.value = self.visit(node.value)
        if isinstance(target, ast.Attribute) and target.attr == "learning_rate":
            if not self.sets_rates:
                return self._give_back(self.made[ast.unparse(target.value)], node.value)
        if not (touched and ast.unparse(target) == ast.unparse(node.value)):
            self.made[ast.unparse(target)] = node.value
        if name is not None:
            self.values[name] = node.value
            return None
        if touched and ast.unparse(target) == ast.unparse(node.value):
            return None
        return node

    def _give_back(self, optimizer: Any, schedule: ast.expr) -> None:
        """A schedule that was set behind the wrapping had been given to the class."""
        for keyword in optimizer.keywords:
            if keyword.arg == "learning_rate":
                keyword.value = schedule
                return
        optimizer.args[0] = schedule

    # -- expressions

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self._value(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if ".RandomState" in self.new and is_call(node.value, "RandomState"):
            node.value = node.value.func.value  # type: ignore[attr-defined]
        return self._value(node)

    def _value(self, node: ast.AST) -> ast.AST:
        name = self.key(node)
        return copy.deepcopy(self.values[name]) if name in self.values else node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        if self.is_rank_test(node.test):
            return inserted(self.visit(node.body))
        return self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        kept = [value for value in node.values if not self.is_rank_test(value)]
        node.values = kept
        return kept[0] if len(kept) == 1 else node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, (ast.Mult, ast.FloorDiv)) and self.is_horovods(node.right, "size"):
            return inserted(node.left)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        return node.value if is_slice(node.slice) and self.mentions(node.slice) else node

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        return self._each(node)

    def visit_DictComp(self, node: ast.DictComp) -> ast.AST:
        touched = any(self.key(n) for n in ast.walk(node))
        self.generic_visit(node)
        whole = node.generators[0].iter
        if touched and is_call(whole, "items"):
            return whole.func.value  # type: ignore[attr-defined, no-any-return]
        return node

    def _each(self, node: Any) -> ast.AST:
        touched = self.mentions(node) or any(self.key(n) for n in ast.walk(node))
        self.generic_visit(node)
        generator = node.generators[0]
        is_plain = ast.unparse(node.elt) == ast.unparse(generator.target)
        return generator.iter if touched and is_plain else node  # type: ignore[no-any-return]

    def visit_Starred(self, node: ast.Starred) -> Found:
        value = node.value
        is_ours = self.mentions(value) or any(self.key(n) is not None for n in ast.walk(value))
        if isinstance(value, (ast.GeneratorExp, ast.ListComp)) and is_ours:
            node.value = self.visit(value.generators[0].iter)
            return node
        return self.generic_visit(node)

    def visit_List(self, node: ast.List) -> ast.AST:
        ours = [element for element in node.elts if self.is_callback(element)]
        node.elts = [element for element in node.elts if element not in ours]
        self.generic_visit(node)
        elements: list[ast.expr] = []
        for element in node.elts:
            inner = element.value if isinstance(element, ast.Starred) else None
            is_ours = isinstance(inner, ast.List) and hasattr(inner, "inserted")
            elements += inner.elts if is_ours else [element]  # type: ignore[union-attr]
        node.elts = elements
        return inserted(node) if ours else node

    def is_callback(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return node.func.id in self.helpers
        return (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Attribute)
            and node.func.value.attr == "callbacks"
            and self.mentions(node.func.value.value)
        )

    def visit_Call(self, node: ast.Call) -> ast.AST:
        receiver = node.func.value if isinstance(node.func, ast.Attribute) else None
        if receiver is not None and self.is_share(node):
            return self.visit(receiver)  # type: ignore[no-any-return]
        whole = self.taken_apart(node)
        if whole is not None:
            return self.visit(whole)  # type: ignore[no-any-return]
        self.generic_visit(node)
        is_told = ast.unparse(node.func) == "int" and self.is_horovods(node.args[0], "broadcast")
        if is_told:
            return node.args[0].args[0]  # type: ignore[attr-defined, no-any-return]
        is_helper = isinstance(node.func, ast.Name) and node.func.id in self.helpers
        wrappers = ("DistributedOptimizer", "DistributedGradientTape", "broadcast_object")
        is_wrapped = self.is_horovods(node, *wrappers)
        if is_helper and not node.args:
            return self.bases[node.func.id]()  # type: ignore[attr-defined]
        if is_wrapped or is_helper:
            return node.args[0]
        node.keywords = [k for k in node.keywords if not self.mentions(k.value)]
        if ast.unparse(node.func) == "max" and len(node.args) == 2 and is_share(node.args[1]):
            return node.args[1]
        is_tuple = isinstance(node.func, ast.Name) and node.func.id == "tuple" and node.args
        if is_tuple and isinstance(node.args[0], ast.GeneratorExp):
            return self._each(node.args[0])
        return node

    def taken_apart(self, call: ast.Call) -> ast.expr | None:
        """The dataset of whole batches that are taken apart, shared out and batched again."""
        inner: ast.AST = call
        while is_call(inner, "batch", "shard", "unbatch"):
            receiver = inner.func.value  # type: ignore[attr-defined]
            if inner is not call and not self.is_share(inner):  # type: ignore[arg-type]
                is_apart = is_call(inner, "unbatch") and is_call(call, "batch")
                return receiver if is_apart and self.mentions(call.func) else None
            inner = receiver
        return None

    def is_share(self, call: ast.Call) -> bool:
        """Whether the method cuts a dataset for the workers."""
        assert isinstance(call.func, ast.Attribute)
        method, given = call.func.attr, call.args
        if method == "unbatch":
            inner = call.func.value
            return is_call(inner, "batch") and self.is_share(inner)  # type: ignore[arg-type]
        if method == "take":
            product = given[0] if given else None
            return (
                isinstance(product, ast.BinOp)
                and isinstance(product.op, ast.Mult)
                and self.is_horovods(product.right, "size")
            )
        is_ours = bool(given) and self.mentions(given[0])
        return is_ours and method in ("shard", "batch", "apply")


def is_slice(node: ast.AST) -> bool:
    """Whether it is a call of `slice`."""
    return (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "slice"
    )


def inserted(node: Any) -> Any:
    """Marks what may have been left out in the original."""
    node.inserted = True
    return node


class _Normal(ast.NodeTransformer):
    def visit_Import(self, node: ast.Import) -> None:
        return None

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        return None

    def visit_With(self, node: ast.With) -> Found:
        """What stands in the block of a tape may stand behind it."""
        self.generic_visit(node)
        if not all("GradientTape" in ast.unparse(item) for item in node.items):
            return node
        head = ast.With(items=node.items, body=[], lineno=node.lineno)
        return [head, *node.body]

    def visit_Assign(self, node: ast.Assign) -> Found:
        return None if is_pinning(node) else self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> Found:
        return None if is_pinning(node) else self.generic_visit(node)

    def visit_If(self, node: ast.If) -> Found:
        """A test whether a folder is there says as much as `exist_ok=True`."""
        if is_tested_folder(node):
            return self.generic_visit(node.body[0])
        is_empty = all(map(is_pinning, node.body))
        return None if is_empty and not node.orelse else self.generic_visit(node)

    def visit_List(self, node: ast.List) -> ast.AST:
        self.generic_visit(node)
        only = node.elts[0] if len(node.elts) == 1 else None
        if not isinstance(only, ast.Starred):
            return node
        value = only.value
        if isinstance(value, ast.BoolOp) and isinstance(value.values[-1], (ast.List, ast.Tuple)):
            return value.values[0]
        return value

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if is_call(node, "dump", "dumps"):  # an average over the workers is a number of NumPy
            node.keywords = [k for k in node.keywords if ast.unparse(k) != "default=float"]
        if is_call(node, "apply_gradients"):
            node.args = [_inside_list(argument) for argument in node.args]
            for keyword in node.keywords:
                keyword.value = _inside_list(keyword.value)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        inner = node.value
        if isinstance(inner, ast.Call) and is_call(inner, "gradient") and len(inner.args) > 1:
            sources = inner.args[1]
            if isinstance(sources, ast.List) and len(sources.elts) == 1:
                inner.args[1] = sources.elts[0]
                return inner
        return node


def is_share(number: ast.AST) -> bool:
    """Whether it is what is left of `n // hvd.size()`, of which no worker gets less than one."""
    return hasattr(number, "inserted")


def is_tested_folder(node: ast.If) -> bool:
    """`if not os.path.exists(d): os.makedirs(d)`, by itself."""
    only = node.body[0] if len(node.body) == 1 and not node.orelse else None
    made = only.value if isinstance(only, ast.Expr) else None
    asked = node.test.operand if isinstance(node.test, ast.UnaryOp) else None
    is_folder = is_call(made, "makedirs", "mkdir") and is_call(asked, "exists", "isdir")
    return is_folder and ast.unparse(made.args[0]) == ast.unparse(asked.args[0])  # type: ignore[union-attr]


def is_pinning(node: ast.AST) -> bool:
    """Whether a statement only chooses a GPU; all but the choice of none are dropped."""
    text = ast.unparse(node)
    if "CUDA_VISIBLE_DEVICES" in text:
        return "'-1'" not in text
    return "list_physical_devices('GPU')" in text or "set_visible_devices(" in text


def _inside_list(node: ast.expr) -> ast.expr:
    is_list = (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "list"
    )
    return _inside_list(node.args[0]) if is_list and node.args else node  # type: ignore[attr-defined]
