"""Runs the tests against mutants: a pytest plugin that forks for every mutant.

The tests are imported and collected once. For a mutant within a function a fork of that process
gets the changed code put into the function, and runs the tests that execute the line, those of the
module's own test file first, until one fails. What runs at import is judged by a fresh process that
imports the changed module; so is what a fork let live, to be certain.
"""

from __future__ import annotations

import functools
import gc
import importlib.machinery
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import pytest
from _pytest.runner import runtestprotocol

from bench.mutant_coverage import Coverage
from bench.mutations import Mutant, mutants

ROOT = Path(__file__).resolve().parent.parent
HOME = ROOT / "build" / "mutants"
PACKAGE = "distify.codemods"
TESTS = ["tests/codemods"]
LEAN = ["-o", "addopts=--import-mode=importlib", "-p", "no:cacheprovider", "-p", "no:terminal"]
MEMORY = 4 << 30
KILLED, SURVIVED = 1, 0
MIN_SECONDS = 2.0  # of processor time that a test gets, whatever it took without a mutant
PATIENCE = 20  # times what it took
TABLE = 100  # rows of a table of a test that is read for what it says
NO_TEST = "no test executes it"

Items = Sequence[pytest.Item]


class Verdict(NamedTuple):
    """What became of a mutant."""

    killed: bool
    why: str


def modules() -> list[str]:
    """The files that are mutated, relative to the checkout."""
    found = (ROOT / "codemods").rglob("*.py")
    return sorted(str(p.relative_to(ROOT)) for p in found if p.name != "tables.py")  # all numbers


def module_name(path: str) -> str:
    """The name that a file is imported by."""
    name = "distify." + path.removesuffix(".py").replace("/", ".")
    return name.removesuffix(".__init__")


def run_pytest(plugin: object, tests: Sequence[str]) -> int:
    return int(pytest.main([*LEAN, *tests], plugins=[plugin]))


def measure(into: Path) -> None:
    """Run every test of this process's own, watched; raises SystemExit if one fails."""
    from coverage import Coverage as Watch

    watch = Watch(data_file=None, config_file=False, include=[str(ROOT / "codemods" / "*")])
    seconds: dict[str, float] = {}

    def work(judge: Judge) -> None:
        caches = known_caches()
        file = None
        for item, following in _with_next(list(judge.items.values())):
            watch.switch_context(item.nodeid)
            for cached in caches if item.path != file else ():  # so that each file computes anew
                cached.cache_clear()
            file = item.path
            start = time.process_time()
            if not passes(item, following):
                raise SystemExit(f"{item.nodeid} fails without a mutant")
            seconds[item.nodeid] = time.process_time() - start

    watch.start()
    code = run_pytest(Judge(work), TESTS)
    watch.stop()
    if code or not seconds:
        raise SystemExit("the tests do not pass without a mutant")
    data = watch.get_data()
    files = {str(Path(file).relative_to(ROOT)): file for file in data.measured_files()}
    tests = {path: data.contexts_by_lineno(file) for path, file in files.items()}
    Coverage.of_names(tests, seconds).save(into)


class Judge:
    """The plugin: instead of running the tests it hands itself to `work`."""

    def __init__(self, work: Callable[[Judge], None]) -> None:
        self.work = work
        self.items: dict[str, pytest.Item] = {}
        self.functions: dict[tuple[str, str, int], list[FunctionType]] = {}
        self.trees: dict[str, Any] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.items = {item.nodeid: item for item in session.items}
        self.functions = known_functions()
        session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]  # one for all forks
        self.work(self)
        return True

    def tree(self, path: str) -> Any:
        if path not in self.trees:
            self.trees[path] = mutants(ROOT / path, path)
        return self.trees[path]

    def judge(self, mutant: Mutant, coverage: Coverage) -> Verdict:
        """Whether the tests notice."""
        tests = coverage.of(mutant)
        if not tests:
            return Verdict(False, NO_TEST)
        found = self._code(mutant) if mutant.function else None
        if found:
            functions = self.functions.get((module_name(mutant.path), *found[0]), [])
            attempt = functools.partial(self._try, functions, found[1], tests, coverage.seconds)
            status = in_fork(attempt) if functions else 0
            if status or (functions and not coverage.runs_at_import(mutant)):
                return Verdict(bool(status), _how(status))
        return fresh(mutant, tests, coverage.seconds)

    def _code(self, mutant: Mutant) -> tuple[tuple[str, int], CodeType] | None:
        try:
            code = mutant.compiled(self.tree(mutant.path)[0], str(ROOT / mutant.path))
        except (SyntaxError, ValueError):
            return None
        found = [c for c in _codes(code) if _name(c) == mutant.function and _has(c, mutant)]
        return ((mutant.function, found[0].co_firstlineno), found[0]) if found else None

    def _try(
        self,
        functions: list[FunctionType],
        code: CodeType,
        tests: Sequence[str],
        seconds: dict[str, float],
    ) -> int:
        for function in functions:
            function.__code__ = code
        return run_until_failure([self.items[test] for test in tests], seconds)


def passes_unchanged(judge: Judge, seconds: dict[str, float]) -> bool:
    """Whether some tests pass in a fork without a mutant: else each would count as killed."""
    quick = sorted(seconds, key=seconds.__getitem__)[: len(seconds) // 2][::400]
    items = [judge.items[test] for test in quick]
    return not in_fork(functools.partial(run_until_failure, items, seconds))


def run_until_failure(items: Items, seconds: dict[str, float]) -> int:
    """Each with a limit of processor time, after which the kernel ends this process."""
    for item, following in _with_next(items):
        limit = max(MIN_SECONDS, PATIENCE * seconds.get(item.nodeid, 0))
        signal.setitimer(signal.ITIMER_PROF, limit)
        if not passes(item, following):
            return KILLED
    return SURVIVED


def passes(item: pytest.Item, following: pytest.Item | None) -> bool:
    reports = runtestprotocol(item, log=False, nextitem=following)
    return not any(report.failed for report in reports)


def _with_next(items: Items) -> Iterator[tuple[pytest.Item, pytest.Item | None]]:
    return zip(items, [*items[1:], None])


def text_of(item: pytest.Item) -> str:
    """What a test says: its name and cases, the texts in it, those it knows by name, in tables,
    too; and of which modules its file knows something, each at the end of a line.
    """
    function = getattr(item, "function", None)
    codes = list(_codes(function.__code__)) if isinstance(function, FunctionType) else []
    known = function.__globals__ if isinstance(function, FunctionType) else {}
    cases = getattr(getattr(item, "callspec", None), "params", {})
    said = [constant for code in codes for constant in code.co_consts]
    said += [_said(known.get(name)) for code in codes for name in code.co_names]
    said += sorted({_home(value) for value in known.values()})
    texts = (text for text in said if isinstance(text, str))
    return "\n".join([item.nodeid, str(cases), *texts, ""])


def _said(value: object) -> object:
    """A text, or what a table of a test says."""
    if isinstance(value, (dict, list, tuple, set, frozenset)) and len(value) < TABLE:
        return str(value)[: 100 * TABLE]
    return value


def _home(value: object) -> str:
    """The module that something is, or comes from."""
    name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", "")
    return name if isinstance(name, str) and name.startswith(PACKAGE) else ""


def in_fork(work: Callable[[], int]) -> int:
    """What `work` returns in a fork of this process, or how that ended: 0 is well."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1]
    code = 1
    try:
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        code = work()
    finally:
        os._exit(code)


def _how(status: int) -> str:
    if not status:
        return ""
    if os.WIFSIGNALED(status):
        return "never ended" if os.WTERMSIG(status) == signal.SIGPROF else "crashed"
    return "a test failed"


def fresh(mutant: Mutant, tests: Sequence[str], seconds: dict[str, float]) -> Verdict:
    """The verdict of a process that imports the changed module."""
    task = HOME / "task.json"
    task.write_text(json.dumps([mutant.path, mutant.key, list(tests), seconds]))
    command = [sys.executable, "-m", "bench.mutant_judge", str(task)]
    limit = 60 + PATIENCE * sum(seconds[test] for test in tests)
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return Verdict(True, "never ended")
    return Verdict(done.returncode != SURVIVED, "at import" if done.returncode else "")


def main() -> int:
    """Measure the coverage, or judge one mutant in a process of its own."""
    if sys.argv[1] == "measure":
        measure(Path(sys.argv[2]))
        return 0
    path, key, tests, seconds = json.loads(Path(sys.argv[1]).read_text())
    tree, found = mutants(ROOT / path, path)
    mutant = next(mutant for mutant in found if mutant.key == key)
    try:
        code = mutant.compiled(tree, str(ROOT / path))
    except (SyntaxError, ValueError):
        return KILLED
    replace(module_name(path), code)
    status = [KILLED]

    def work(judge: Judge) -> None:
        wanted = [judge.items[test] for test in tests if test in judge.items]
        # A test that is not even collected has noticed.
        status[0] = KILLED if len(wanted) < len(tests) else run_until_failure(wanted, seconds)

    run_pytest(Judge(work), sorted({test.partition("::")[0] for test in tests}))
    return status[0]


def replace(name: str, code: CodeType) -> None:
    """Let Python take this code for a module that is imported later."""
    loader = importlib.machinery.SourceFileLoader
    original = loader.get_code

    def get_code(self: importlib.machinery.SourceFileLoader, fullname: str) -> CodeType | None:
        return code if fullname == name else original(self, fullname)

    loader.get_code = get_code  # type: ignore[method-assign, assignment]


def known_functions() -> dict[tuple[str, str, int], list[FunctionType]]:
    """Every function of the package there is, by module, qualified name and line."""
    found: dict[tuple[str, str, int], list[FunctionType]] = {}
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType) and (thing.__module__ or "").startswith(PACKAGE):
            code = thing.__code__
            key = thing.__module__, _name(code), code.co_firstlineno
            found.setdefault(key, []).append(thing)
    return found


def known_caches() -> list[Any]:
    """The functions of the package that remember what they have computed."""
    kind = type(functools.cache(known_functions))
    known = [thing for thing in gc.get_objects() if isinstance(thing, kind)]
    return [thing for thing in known if (thing.__module__ or "").startswith(PACKAGE)]


def _name(code: CodeType) -> str:
    """Its qualified name, which Python knows since 3.11; what develops distify is no older."""
    return str(getattr(code, "co_qualname"))  # noqa: B009


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _has(code: CodeType, mutant: Mutant) -> bool:
    """Of several with one name (a property and its setter) the one that holds the line."""
    first = code.co_firstlineno
    last = max((line or 0 for c in _codes(code) for *_, line in c.co_lines()), default=first)
    return first <= mutant.line <= last


if __name__ == "__main__":
    sys.exit(main())
