"""What every migrated program has to promise, whatever it is. All raise AssertionError."""

from __future__ import annotations

import ast
import builtins
import io
import symtable
import tokenize
import warnings
from collections.abc import Iterator
from functools import lru_cache

from distify.codemods.model import Migration

from .eraser import erased, identifiers, normal
from .same import difference

OWN_COMMENTS = frozenset(
    {
        "# wait for rank 0's file",
        "# a schedule of one's own can't be rebuilt from a config",
        "# wait while the machine's first worker downloads",
        "# now the others find it",
        "# whole groups only, one element a worker: all take the same number of steps",
        "# each share ends where the last one does: all take the same number of steps",
        "# Rank 0 alone has these: they write files, or draw.",
        "# those of all workers",
    }
)
IMPORTS_ADDED = frozenset({"os", "tensorflow", "horovod.tensorflow", "horovod.tensorflow.keras"})


def fresh(text: str) -> ast.Module:
    """The abstract tree of a text that compiles; odd escapes are the program's own affair."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module = ast.parse(text.lstrip("\ufeff"))
        compile(module, "<generated>", "exec", dont_inherit=True)
    return module


@lru_cache(maxsize=32)
def parsed(text: str) -> ast.Module:
    """The same tree for all who only look at it."""
    return fresh(text)


def compiles_and_means_the_same(migration: Migration) -> None:
    """Promise 2."""
    before, after = parsed(migration.before), parsed(migration.after)
    _imports(before, after)
    rest = erased(before, fresh(migration.after))
    found = difference(normal(fresh(migration.before)), rest)
    assert found is None, found
    assert ast.get_docstring(before) == ast.get_docstring(after), "the docstring"


def _imports(before: ast.Module, after: ast.Module) -> None:
    """Imports may come, and go if nothing uses them any more."""
    old, new = list(_imported(before)), list(_imported(after))
    kept = [name for name in old if name in new and name[0] != "os"]
    rest = iter(new)
    assert all(name in rest for name in kept), "imports were put in another order"
    for module, _ in set(new) - set(old):
        assert module in IMPORTS_ADDED, f"import of {module} was added"
    used = {node.id for node in ast.walk(after) if isinstance(node, ast.Name)}
    for name, bound in set(old) - set(new):
        assert name in ("os", "tensorflow"), f"import of {name} was dropped"
        assert bound not in used


def _imported(module: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            yield from ((a.name, a.asname or a.name.split(".")[0]) for a in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((f"{node.module}.{a.name}", a.asname or a.name) for a in node.names)


# -- promise 1 -----------------------------------------------------------------------------------


def comments(text: str) -> list[tuple[int, str]]:
    """Every comment, in order, with its line."""
    tokens = tokenize.generate_tokens(io.StringIO(text.lstrip("\ufeff")).readline)
    return [(token.start[0], token.string) for token in tokens if token.type == tokenize.COMMENT]


def comments_stay(migration: Migration) -> None:
    """All of them, in order; some rules add their own, the choice of a GPU takes its own along."""
    after = [c for _, c in comments(migration.after) if c not in OWN_COMMENTS]
    may_go = _of_pinning(migration)
    for line, comment in comments(migration.before):
        if after[:1] == [comment]:
            after = after[1:]
        else:
            assert line in may_go, f"a comment was lost: {comment!r}"
    assert not after, "the comments differ"


def _of_pinning(migration: Migration) -> set[int]:
    """The lines of the choice of a GPU, which goes, and of the comments right above."""
    places = {place for s in migration.steps if s.code == "D103" for place in s.places}
    lines = [line.lstrip() for line in _lines(migration.before)]
    gone: set[int] = set()
    for node in ast.walk(parsed(migration.before)):
        if isinstance(node, ast.stmt) and not isinstance(node, (ast.Import, ast.ImportFrom)):
            own = range(node.lineno, (node.end_lineno or 0) + 1)
            if any(line == node.lineno for line, _ in places):
                gone.update(own)
    for line in sorted(gone):
        while line > 1 and lines[line - 2].startswith("#"):
            line -= 1
            gone.add(line)
    return gone


def lines_stay(migration: Migration) -> None:
    """Every line without a rewritten place, with its bytes; a guard may indent it."""
    touched = {*_touched(migration), *_of_pinning(migration)}
    lines = _lines(migration.before)
    rest = iter(_lines(migration.after))
    for number, line in enumerate(lines, 1):
        if number in touched or not line.strip():
            continue
        wanted = _shape(line, number == len(lines))
        assert any(_shape(found, number == len(lines)) == wanted for found in rest), (
            f"line {number} was lost: {line!r}"
        )


def _lines(text: str) -> list[str]:
    """Lines as Python counts them: a form feed ends none."""
    return io.StringIO(text, newline="").readlines()


def _shape(line: str, is_last: bool) -> str:
    return line.strip() if is_last else line.lstrip(" \t\f\ufeff")


def _touched(migration: Migration) -> set[int]:
    """The lines of statements with a place in them, of blocks only the heads."""
    heads: list[range] = []
    for node in ast.walk(parsed(migration.before)):
        if isinstance(node, (ast.stmt, ast.excepthandler)):
            first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
            body = getattr(node, "body", None)
            last = body[0].lineno - 1 if body else node.end_lineno or 0
            heads.append(range(first, max(first, last) + 1))
    found: set[int] = set()
    for step in migration.steps:
        for line, _ in step.places:
            inside = [head for head in heads if line in head]
            found.update(n for head in inside for n in head)
    return found | _narrowed(migration, found)


def _narrowed(migration: Migration, touched: set[int]) -> set[int]:
    """The heads of conditions in which everything is guarded: they get one more condition."""
    found: set[int] = set()
    for node in ast.walk(parsed(migration.before)):
        if isinstance(node, ast.If) and all(s.lineno in touched for s in node.body):
            found.update(range(node.lineno, max(node.lineno, node.body[0].lineno - 1) + 1))
    return found


def surface_stays(migration: Migration) -> None:
    """Line ends, the mark at the beginning, the missing end of the last line."""
    before, after = migration.before, migration.after
    assert before.startswith("\ufeff") == after.startswith("\ufeff"), "the BOM"
    assert before.endswith("\n") == after.endswith("\n"), "the end of the last line"
    plain = after.replace("\r\n", "") if "\r\n" in before else after
    assert not set(plain) & set("\r\n" if "\r\n" in before else "\r"), "line ends"
    indents = {line[0] for line in before.splitlines() if line[:1] in (" ", "\t") and line.strip()}
    if indents == {"\t"}:
        inserted = set(after.splitlines()) - set(before.splitlines())
        assert not any(line[:1] == " " and line.strip() for line in inserted), "tabs"


# -- promise 4 -----------------------------------------------------------------------------------


def every_step_is_a_program(migration: Migration) -> None:
    """It compiles, binds every name that it reads, and imports Horovod before it needs it."""
    unknown = unbound(migration.before)
    for step in migration.steps:
        unknown_now = unbound(step.text) - unknown
        assert not unknown_now, f"{step.code}: nothing binds {unknown_now}"
    # The last text and one of the others: over all programs every rule's turn comes.
    chosen = migration.steps[len(migration.before) % len(migration.steps)]
    names = names_of(migration.after) - names_of(migration.before)
    for step in {chosen.code: chosen, migration.steps[-1].code: migration.steps[-1]}.values():
        late = read_early(parsed(step.text), names)
        assert not late, f"{step.code}: {late} is read before it is bound"


@lru_cache(maxsize=4)
def names_of(text: str) -> frozenset[str]:
    """Every name that occurs in a program."""
    return frozenset(identifiers(parsed(text)))


def unbound(text: str) -> set[str]:
    """Names that are read somewhere, and bound neither in that scope nor around it."""
    text = text.lstrip("\ufeff")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compile(text, "<generated>", "exec", dont_inherit=True)
        table = symtable.symtable(text, "<generated>", "exec")
    known = {s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported()}
    known |= {s.get_name() for s in table.get_symbols() if s.is_namespace()}
    known |= _declared(table) | set(dir(builtins)) | {"__file__", "__name__"}
    return {
        s.get_name() for s in _symbols(table) if s.is_referenced() and s.is_global()
    } - known | {
        s.get_name() for s in table.get_symbols() if s.is_referenced() and s.get_name() not in known
    }


def _symbols(table: symtable.SymbolTable) -> Iterator[symtable.Symbol]:
    yield from table.get_symbols()
    for child in table.get_children():
        yield from _symbols(child)


def _declared(table: symtable.SymbolTable) -> set[str]:
    """Names that functions assign by `global`."""
    return {s.get_name() for s in _symbols(table) if s.is_declared_global() and s.is_assigned()}


def read_early(module: ast.Module, names: frozenset[str]) -> set[str]:
    """Those of the names that a scope reads, in the text of it, before it binds them."""
    found: set[str] = set()
    scopes: list[ast.AST] = [module]
    for scope in scopes:
        stored: dict[str, tuple[int, int]] = {}
        read: dict[str, tuple[int, int]] = {}
        for node in own_nodes(scope):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                scopes.append(node)
            place = (node.lineno, node.col_offset) if hasattr(node, "lineno") else (0, 0)
            for name, is_bound in _named(node):
                if name in names:
                    table = stored if is_bound else read
                    table[name] = min(place, table.get(name, place))
        found |= {n for n in stored if n in read and read[n] <= stored[n]}
    return found


def own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes that run when the scope does: not the bodies of functions and comprehensions."""
    inner = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
    waiting = list(ast.iter_child_nodes(scope))
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            waiting.append(node.generators[0].iter)
        elif not isinstance(node, inner):
            waiting += ast.iter_child_nodes(node)


def _named(node: ast.AST) -> list[tuple[str, bool]]:
    """The names that a node reads or binds, and whether it binds them."""
    if isinstance(node, ast.Name):
        return [(node.id, not isinstance(node.ctx, ast.Load))]
    if isinstance(node, (ast.Import, ast.ImportFrom)):  # aliases have no place in Python 3.9
        return [(each.asname or each.name.split(".")[0], True) for each in node.names]
    return [(node.arg, True)] if isinstance(node, ast.arg) else []
