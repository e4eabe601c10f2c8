"""Flows where "exactly this role" is a wrong answer: something else may get to the end too."""

from __future__ import annotations

from .spellings import Spelling

TRAPS: dict[str, Spelling] = {
    "other branch": Spelling("a{n} = {v}\nif x[0]:\n    a{n} = object()\n", "a{n}"),
    "unknown call": Spelling("from somewhere import wrap{n}\n", "wrap{n}({v})"),
    "unknown decorator": Spelling(
        "from somewhere import deco{n}\n@deco{n}\ndef make{n}():\n    return {v}\n", "make{n}()"
    ),
    "best of several": Spelling("s{n} = [{v}, object()]\n", "max(s{n}, key=len)"),
    "best of several, or a default": Spelling("", "max([{v}], key=len, default=object())"),
    "slice": Spelling("s{n} = [{v}, object()]\n", "s{n}[1:][0]"),
    "slice to somewhere": Spelling("s{n} = [object(), {v}]\n", "s{n}[len(x) :][0]"),
    "slice of a list that has grown": Spelling(
        "s{n} = ['x', {v}]\ns{n}.append(object())\n", "s{n}[1:][-1]"
    ),
    "other of two starred": Spelling(
        "def get{n}(a, b):\n    return b\n", "get{n}(*[{v}, object()])"
    ),
    "behind two stars": Spelling(
        "def get{n}(a, b=None, *c):\n    return b\n", "get{n}(*x, *[object()], {v})"
    ),
    "reduced": Spelling("", "functools.reduce(lambda a, b: b, [{v}, object()])"),
    "reduced by an unknown function": Spelling(
        "from somewhere import f{n}\n", "functools.reduce(f{n}, [{v}], None)"
    ),
    "function kept by a stack": Spelling(
        "g{n} = {v}\ndef f{n}(a):\n    global g{n}\n    g{n} = a\n"
        "with contextlib.ExitStack() as s{n}:\n    s{n}.callback(f{n}, object())\n",
        "g{n}",
    ),
    "own context manager that swallows": Spelling(
        "@contextlib.contextmanager\ndef ignoring{n}():\n    try:\n        yield\n"
        "    except ValueError:\n        pass\na{n} = object()\nwith ignoring{n}():\n    f()\n"
        "    a{n} = {v}\n",
        "a{n}",
    ),
    "single dispatch": Spelling(
        "@functools.singledispatch\ndef make{n}(a):\n    return {v}\n@make{n}.register\n"
        "def _(a: int):\n    return object()\n",
        "make{n}(1)",
    ),
    "list that is given away": Spelling(
        "from somewhere import fill{n}\ns{n} = [{v}]\nfill{n}(s{n})\n", "s{n}[0]"
    ),
    "list in a list that is given away": Spelling(
        "from somewhere import fill{n}\ns{n} = [{v}]\nfill{n}([s{n}])\n", "s{n}[0]"
    ),
    "list behind an attribute of an unknown": Spelling(
        "from somewhere import o{n}\ns{n} = [{v}]\no{n}.s = s{n}\n", "s{n}[0]"
    ),
    "instance that is given away": Spelling(
        "from somewhere import fill{n}\nclass T{n}:\n    k = {v}\nt{n} = T{n}()\nfill{n}(t{n})\n",
        "t{n}.k",
    ),
    "self that is given away": Spelling(
        "from somewhere import register{n}\nclass T{n}:\n    def __init__(self):\n"
        "        register{n}(self)\n        self.k = {v}\n",
        "T{n}().k",
    ),
    "unknown key": Spelling("s{n} = {{'k': {v}}}\ns{n}[input()] = object()\n", "s{n}['k']"),
    "read by an unknown key": Spelling("s{n} = {{'k': {v}, 'l': object()}}\n", "s{n}[input()]"),
    "setattr of any name": Spelling(
        "class T{n}:\n    k = {v}\nt{n} = T{n}()\nsetattr(t{n}, input(), object())\n", "t{n}.k"
    ),
    "patched class": Spelling(
        "class T{n}:\n    def make(self):\n        return {v}\n"
        "def other{n}(self):\n    return object()\nT{n}.make = other{n}\n",
        "T{n}().make()",
    ),
    "subclass": Spelling(
        "class B{n}:\n    def make(self):\n        return {v}\n    def use(self):\n"
        "        return self.make()\nclass D{n}(B{n}):\n    def make(self):\n"
        "        return object()\n",
        "D{n}().use()",
    ),
    "two callers": Spelling("def same{n}(v):\n    return v\nsame{n}(object())\n", "same{n}({v})"),
    "global from elsewhere": Spelling(
        "g{n} = {v}\ndef f{n}():\n    global g{n}\n    g{n} = object()\nf{n}()\n", "g{n}"
    ),
    "deleted, then a star import": Spelling(
        "a{n} = {v}\nif x[0]:\n    del a{n}\n    from somewhere import a{n}\n", "a{n}"
    ),
    "globals()": Spelling("a{n} = {v}\nglobals()['a{n}'] = object()\n", "a{n}"),
    "exec": Spelling("a{n} = {v}\nexec('a{n} = 1 or object()')\n", "a{n}"),
    "exception that is swallowed": Spelling(
        "a{n} = object()\nwith contextlib.suppress(E):\n    f()\n    a{n} = {v}\n", "a{n}"
    ),
    "unknown with": Spelling(
        "from somewhere import ignoring{n}\na{n} = object()\nwith ignoring{n}():\n    f()\n"
        "    a{n} = {v}\n",
        "a{n}",
    ),
    "own __exit__": Spelling(
        "class I{n}:\n    def __enter__(self):\n        pass\n    def __exit__(self, *e):\n"
        "        return True\na{n} = object()\nwith I{n}():\n    f()\n    a{n} = {v}\n",
        "a{n}",
    ),
    "handler": Spelling(
        "a{n} = object()\ntry:\n    f()\n    a{n} = {v}\nexcept E:\n    pass\n", "a{n}"
    ),
    "finally": Spelling(
        "def f{n}():\n    a = object()\n    try:\n        f()\n        a = {v}\n"
        "    finally:\n        return a\n",
        "f{n}()",
    ),
    "popped": Spelling("s{n} = [{v}, object()]\ns{n}.pop(0)\n", "s{n}[0]"),
    "inserted": Spelling("s{n} = [{v}]\ns{n}.insert(0, object())\n", "s{n}[0]"),
    "reversed": Spelling("s{n} = [{v}, object()]\ns{n}.reverse()\n", "s{n}[0]"),
    "sorted in place": Spelling("s{n} = [{v}, object()]\ns{n}.sort(key=len)\n", "s{n}[0]"),
    "del of an element": Spelling("s{n} = [object(), {v}]\ndel s{n}[0]\n", "s{n}[1 - 1]"),
    "del of the element before": Spelling("s{n} = [{v}, object()]\ndel s{n}[0]\n", "s{n}[0]"),
    "slice stored": Spelling("s{n} = [{v}]\ns{n}[:] = [object()]\n", "s{n}[0]"),
    "slice stored before": Spelling("s{n} = [{v}]\ns{n}[:0] = [object()]\n", "s{n}[0]"),
    "alias that is appended to": Spelling(
        "s{n} = []\nt{n} = s{n}\nt{n}.append(object())\ns{n}.append({v})\n", "s{n}[0]"
    ),
    "alias that grows": Spelling(
        "s{n} = []\nt{n} = s{n}\nt{n} += [object()]\ns{n}.append({v})\n", "s{n}[0]"
    ),
    "updated dictionary": Spelling("s{n} = {{'k': {v}}}\ns{n}.update(load())\n", "s{n}['k']"),
    "dictionary behind a copy": Spelling(
        "s{n} = {{'k': {v}}}\nt{n} = dict(s{n})\ns{n}['k'] = object()\n", "s{n}['k']"
    ),
    "parameter that nobody passes": Spelling(
        "g{n} = {v}\ndef f{n}(a):\n    global g{n}\n    g{n} = a\n", "g{n}"
    ),
    "function that is given away": Spelling(
        "from somewhere import run{n}\ng{n} = {v}\ndef f{n}(a):\n    global g{n}\n    g{n} = a\n"
        "f{n}({v})\nrun{n}(f{n})\n",
        "g{n}",
    ),
    "__getattribute__": Spelling(
        "class T{n}:\n    def __getattribute__(self, n):\n        return object()\n"
        "    def __init__(self):\n        self.k = {v}\n",
        "T{n}().k",
    ),
    "patched module": Spelling("import other{n}\nother{n}.k = {v}\n", "other{n}.k"),
    "descriptor": Spelling(
        "class G{n}:\n    def __get__(self, o, t):\n        return object()\nclass T{n}:\n"
        "    k = G{n}()\n    def __init__(self):\n        self.k = {v}\n",
        "T{n}().k",
    ),
    "operator that gives something else": Spelling(
        "class O{n}:\n    def __init__(self, a):\n        self.a = a\n    def __or__(self, o):\n"
        "        return self.a if o else object()\n",
        "O{n}({v}) | 1",
    ),
    "imported value": Spelling("from somewhere import a{n}\na{n} = a{n} or {v}\n", "a{n}"),
    "loop that may not run": Spelling("a{n} = object()\nfor e in x:\n    a{n} = {v}\n", "a{n}"),
    "other column of zip": Spelling(
        "for a{n}, b{n} in zip([object()], [{v}]):\n    pass\n", "a{n}"
    ),
    "two instances of a class": Spelling(
        "class T{n}:\n    def __init__(self, k):\n        self.k = k\nt{n} = T{n}(object())\n"
        "u{n} = T{n}({v})\nt{n}, u{n} = u{n}, t{n}\n",
        "u{n}.k",
    ),
    "second of two bases": Spelling(
        "class A{n}:\n    def get(self, k):\n        return k\nclass B{n}:\n"
        "    def get(self, k):\n        return object()\nclass D{n}(B{n}, A{n}):\n    pass\n",
        "D{n}().get({v})",
    ),
    "super goes beside": Spelling(
        "class R{n}:\n    def get(self, k):\n        return k\nclass A{n}(R{n}):\n"
        "    def get(self, k):\n        return super().get(k)\nclass B{n}(R{n}):\n"
        "    def get(self, k):\n        return object()\nclass D{n}(A{n}, B{n}):\n    pass\n",
        "D{n}().get({v})",
    ),
    "metaclass": Spelling(
        "class M{n}(type):\n    def __call__(cls):\n        return object()\n"
        "class T{n}(metaclass=M{n}):\n    k = {v}\n",
        "T{n}().k",
    ),
    "__new__": Spelling(
        "class N{n}:\n    k = object()\nclass T{n}:\n    k = {v}\n    def __new__(cls):\n"
        "        return N{n}()\n",
        "T{n}().k",
    ),
    "setter": Spelling(
        "class T{n}:\n    @property\n    def k(self):\n        return self._k\n    @k.setter\n"
        "    def k(self, value):\n        self._k = object()\n    def __init__(self):\n"
        "        self._k = {v}\nt{n} = T{n}()\nt{n}.k = {v}\n",
        "t{n}.k",
    ),
    "late change of a closure": Spelling(
        "def outer{n}():\n    a = {v}\n    def inner():\n        return a\n    a = object()\n"
        "    return inner\n",
        "outer{n}()()",
    ),
    "bound anew behind a call": Spelling(
        "a{n} = object()\ndef get{n}():\n    return a{n}\nb{n} = get{n}()\na{n} = {v}\n", "b{n}"
    ),
    "exit that may return": Spelling(
        "from somewhere import exit{n}\na{n} = object()\nif x[0]:\n    a{n} = {v}\nelse:\n"
        "    exit{n}()\n",
        "a{n}",
    ),
    "more functions than are kept apart": Spelling(
        "s{n} = [" + "lambda: {v}, " * 13 + "lambda: object()]\n", "s{n}[input()]()"
    ),
    "coroutine": Spelling("async def make{n}():\n    return {v}\n", "make{n}()"),
    "default that is overridden": Spelling(
        "def get{n}(a={v}):\n    return a\nget{n}(object())\n", "get{n}()"
    ),
    "return under a condition": Spelling(
        "def get{n}():\n    if x[0]:\n        return {v}\n    return object()\n", "get{n}()"
    ),
    "no value at the end": Spelling("def get{n}(a):\n    a\n", "get{n}({v})"),
    "match": Spelling(
        "a{n} = {v}\nfor b{n} in x:\n    if b{n}:\n        a{n} = b{n}\n        break\n", "a{n}"
    ),
    "vars": Spelling(
        "class K{n}:\n    pass\no{n} = K{n}()\no{n}.k = {v}\nvars(o{n})['k'] = object()\n", "o{n}.k"
    ),
}
