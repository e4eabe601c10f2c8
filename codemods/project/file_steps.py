"""The steps of a program of several files: each file its own, by the rules that are due there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from ..applying.needs import first_place
from ..applying.places_to_edit import Found
from ..edits import At, Places
from ..facts import Facts, training_of
from ..facts.setup.horovod_start import early_place, functions_at_import
from ..facts.setup.import_places import missing_modules
from ..model import Migration, Other, UnsoundResult, is_repair
from ..program.node_fields import within
from ..program.parts import FUNCTIONS
from ..program.scope import BUILTINS
from ..program.scopes import Scopes
from ..rewrites import Rewrite
from ..rewrites import all as every_rule
from ..rewrites._import_edits import import_as
from ..rewrites._new_code import tf
from ..syntax import Source
from .forms import DEFINED, Forms, Moved, speaks_of, text_of
from .joined import Joined
from .main_parts import main_starts
from .places import Apart, ByFile
from .refused import EARLY, FAR, HIDDEN_BUILTIN, OTHER_MEANING, WHERE, Refused
from .standard import imports, without_vain_imports

IMPORTING = "D101"
UNBOUND = "nothing binds {} in {}"


class Changes:
    """What becomes of each file of a joined program."""

    def __init__(self, joined: Joined, facts: Facts, name: str) -> None:
        self._joined, self._facts, self._name = joined, facts, name
        self._files = ByFile(joined, facts.options)
        self._needed: set[str] = set()

    def made(self, seen: Migration, found: Sequence[Found]) -> Migration:
        """The migration of the entry with its steps, and those of others. Raises Refused."""
        forms = Forms(self._facts, self._joined, self._files, found)
        found = forms.left(found)
        try:
            sorted_ = self._files.sorted(found)
        except Apart as apart:
            raise Refused(1, WHERE.format(apart)) from None
        self._refuse_early(found)
        self._refuse_far(found)
        self._note_needs(found)
        for moved in (*forms.moved, *main_starts(self._facts, self._joined, self._files, sorted_)):
            _add(sorted_.setdefault(moved.path, []), moved)
        own = list(without_vain_imports(self._facts, sorted_.pop(self._joined.entry.path, [])))
        edits = [at for _, places in own for at in places.edits]
        self._refuse_other_meanings(self._joined.entry.path, edits)
        others = [self._other(path, places) for path, places in sorted_.items()]
        return self._stepped(seen, self._joined.entry.path, own)._replace(others=tuple(others))

    def _refuse_early(self, found: Sequence[Found]) -> None:
        """Raises Refused where a rule has to ask Horovod while another module is imported."""
        if early_place(self._facts) is not None:
            return
        for _, places in found:
            for at in places.edits:
                path = self._files.path(at.place)
                if path != self._joined.entry.path and self._is_early(at):
                    raise Refused(getattr(at.place, "lineno", 1), EARLY.format(path))

    def _refuse_far(self, found: Sequence[Found]) -> None:
        """Raises Refused where a rule calls what it defines in another file."""
        edits = [(at, text_of(at.edit)) for _, places in found for at in places.edits]
        homes: dict[str, set[str]] = {}
        for at, text in edits:
            for name in DEFINED.findall(text):
                homes.setdefault(name, set()).add(self._files.path(at.place))
        for at, text in edits:
            path = self._files.path(at.place)
            for name, paths in homes.items():
                if path not in paths and speaks_of(text, name):
                    where = FAR.format(path, name, min(paths))
                    raise Refused(getattr(at.place, "lineno", 1), where)

    def _is_early(self, at: At) -> bool:
        node, around = at.place, self._facts.index.scopes.around
        while node not in around and self._facts.parent(node) is not None:
            node = self._facts.index.parents[node]
        scope = around.get(node)
        function = scope.frame.node if scope is not None else None
        is_later = isinstance(function, FUNCTIONS)
        is_later = is_later and function not in functions_at_import(self._facts)
        return not is_later and any(self._horovod(text_of(at.edit)))

    def _horovod(self, text: str) -> Iterator[str]:
        """The imports of the modules of Horovod that inserted code speaks of."""
        for module in missing_modules(self._facts):
            line = import_as(self._facts, module)
            if speaks_of(text, line.split()[-1]):
                yield line

    def _tensorflow(self, path: str, text: str) -> Iterator[str]:
        """The import of TensorFlow that inserted code lacks in a file."""
        name = tf(self._facts)
        if speaks_of(text, name) and name not in self._joined.file(path).names:
            yield f"import tensorflow as {name}\n"

    def _refuse_other_meanings(self, path: str, edits: Sequence[At]) -> None:
        """Raises Refused where inserted code uses a name that means something else in its file.

        A variable of which the statement itself speaks is the file's own, and no name of new code:
        that has builtins, imports, and names that nobody has.
        """
        is_entry = path == self._joined.entry.path
        said = HIDDEN_BUILTIN if is_entry else OTHER_MEANING
        renamed = [target.name for target in self._joined.names if target.path == path]
        for name in renamed:
            for at in edits:
                if speaks_of(text_of(at.edit), name) and not self._is_own(path, at, name):
                    raise Refused(1, said.format(name, path))

    def _is_own(self, path: str, at: At, name: str) -> bool:
        """Whether the statement of an edit has a variable, or the function around it."""
        own, node = self._files.facts[path], at.place
        statement = own.statement(node)
        said = (n.id for n in within(statement) if isinstance(n, ast.Name))
        if name in said and not self._is_of_new_code(name, at, statement):
            return True
        around = own.index.scopes.around
        while node not in around:
            parent = own.parent(node)
            if parent is None:
                return False
            node = parent
        return around[node].find(name) not in (None, own.index.scopes.of[own.module])

    def _is_of_new_code(self, name: str, at: At, statement: ast.stmt) -> bool:
        """Whether new code may say a name of the program: that of a builtin, or of an import."""
        if name in BUILTINS and not hasattr(statement, "body"):
            text, was = text_of(at.edit), ast.unparse(statement)
            words = (rf"\b{name}\b", rf"\b{name}\s*\(")
            return any(len(re.findall(w, text)) > len(re.findall(w, was)) for w in words)
        bindings = self._facts.bound(self._facts.module).get(name, ())
        return name in BUILTINS or any(each.kind == "import" for each in bindings)

    def _other(self, path: str, found: list[Found]) -> Other:
        edits_of_rules = [at for _, places in found for at in places.edits]
        text = " ".join(text_of(at.edit) for at in edits_of_rules)
        self._refuse_other_meanings(path, edits_of_rules)
        own, lines = self._files.facts[path], [*self._tensorflow(path, text), *self._horovod(text)]
        edits = imports(self._facts, own, self._joined.file(path), text, lines)
        if edits and is_repair(found[0][0].code):  # A00: with nobody's rules before it
            found = [(found[0][0], Places([*edits, *edits_of_rules]))]
        elif edits:
            found = [(_importing(), Places(edits)), *found]
        line = self._joined.line_of_import(path)
        seen = Migration(self._joined.texts[path], training_of(self._facts).pattern.value)
        return Other(path, line, path in self._needed, self._stepped(seen, path, found))

    def _note_needs(self, found: Sequence[Found]) -> None:
        """Note the files without whose changes the result would be wrong."""
        for rule, places in found:
            for at in places.edits:
                if first_place(self._facts, rule.code, [at]) is not None:
                    self._needed.add(self._files.path(at.place))

    def _stepped(self, seen: Migration, path: str, found: list[Found]) -> Migration:
        if not found:
            return seen
        own = self._files.facts[path]
        own.source.refuse_what_cannot_run()
        from ..applying.apply_rules import steps

        name = self._name if path == self._joined.entry.path else path
        try:
            made = steps(own, found, name)
            for step in made[-1:]:
                unbound = _free(Source(step.text)) - _free(own.source) - BUILTINS
                if unbound:  # it is a name of another file
                    names = ", ".join(sorted(unbound))
                    raise UnsoundResult(step.code, 1, UNBOUND.format(names, path))
        except UnsoundResult as error:
            line = self._joined.line(path, error.line)
            raise UnsoundResult(error.rule, line, error.message) from None
        return seen._replace(steps=made)


def _free(source: Source) -> set[str]:
    """The names that are read where nothing in the file binds them."""
    loads = Scopes(source.module).loads
    return {node.id for node, scope in loads if scope.find(node.id) is None}


def _add(rules: list[Found], moved: Moved) -> None:
    """One more edit of a rule, in the order of the rules."""
    edits = [at for rule, places in rules if rule is moved.rule for at in places.edits]
    others = [each for each in rules if each[0] is not moved.rule]
    rules[:] = sorted(
        [*others, (moved.rule, Places([*edits, moved.at]))], key=lambda each: each[0].code
    )


def _importing() -> Rewrite:
    return next(rule for rule in every_rule() if rule.code == IMPORTING)
