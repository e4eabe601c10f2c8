"""Spellings of the same flow: `{v}` goes in, the expression behind the statements is that value.

`{n}` is a number that keeps the names of several spellings in one program apart.
"""

from __future__ import annotations

from flows.more_spellings import FOLLOWED, Spelling

EQUAL: dict[str, Spelling] = {
    # the nineteen of the design
    "name": Spelling("a{n} = {v}\n", "a{n}"),
    "tuple": Spelling("a{n}, b{n} = {v}, 'x'\n", "a{n}"),
    "list item": Spelling("a{n} = [{v}, 'x']\n", "a{n}[0]"),
    "self attribute": Spelling(
        "class T{n}:\n    def __init__(self, x):\n        self.x = x\n    def get(self):\n"
        "        return self.x\n",
        "T{n}({v}).get()",
    ),
    "function": Spelling("def make{n}():\n    return {v}\n", "make{n}()"),
    "pair that is returned": Spelling(
        "def make{n}():\n    return {v}, 'x'\na{n}, b{n} = make{n}()\n", "a{n}"
    ),
    "if": Spelling("if x[0]:\n    a{n} = {v}\nelse:\n    a{n} = None\n", "a{n}"),
    "walrus": Spelling("if (a{n} := {v}) is None:\n    pass\n", "a{n}"),
    "default": Spelling("def get{n}(a={v}):\n    return a\n", "get{n}()"),
    "dictionary": Spelling("d{n} = {{'k': {v}, 'l': 'x'}}\n", "d{n}['k']"),
    "append": Spelling("s{n} = []\ns{n}.append({v})\n", "s{n}[0]"),
    "stored item": Spelling("d{n} = {{}}\nd{n}['k'] = {v}\n", "d{n}['k']"),
    "namespace": Spelling("a{n} = types.SimpleNamespace(k={v}, l='x')\n", "a{n}.k"),
    "class attribute": Spelling("class K{n}:\n    k = {v}\n", "K{n}.k"),
    "or": Spelling("a{n} = None or {v}\n", "a{n}"),
    "for": Spelling("for a{n} in [{v}]:\n    pass\n", "a{n}"),
    "lambda": Spelling("f{n} = lambda: {v}\n", "f{n}()"),
    "partial": Spelling(
        "def same{n}(a, b):\n    return a\nf{n} = functools.partial(same{n}, {v})\n", "f{n}('x')"
    ),
    "try else": Spelling("try:\n    pass\nexcept E:\n    pass\nelse:\n    a{n} = {v}\n", "a{n}"),
    # and more
    "dictionary of dictionaries": Spelling(
        "d{n} = {{'o': {{'k': {v}, 'l': 'x'}}, 'p': 'x'}}\n", "d{n}['o']['k']"
    ),
    "stored in an inner dictionary": Spelling(
        "d{n} = {{'o': {{}}}}\nd{n}['o']['k'] = {v}\n", "d{n}['o'].get('k')"
    ),
    "data class": Spelling(
        "@dataclasses.dataclass\nclass D{n}:\n    l: str\n    k: object = None\n",
        "D{n}('x', k={v}).k",
    ),
    "data class by position": Spelling(
        "@dataclasses.dataclass(frozen=True)\nclass D{n}:\n    l: str\n    k: object\n",
        "D{n}('x', {v}).k",
    ),
    "derived data class": Spelling(
        "@dataclasses.dataclass\nclass B{n}:\n    l: str\n@dataclasses.dataclass\n"
        "class D{n}(B{n}):\n    k: object\n",
        "D{n}('x', {v}).k",
    ),
    "property": Spelling(
        "class P{n}:\n    def __init__(self, x):\n        self._x = x\n    @property\n"
        "    def x(self):\n        return self._x\n",
        "P{n}({v}).x",
    ),
    "setter": Spelling(
        "class P{n}:\n    @property\n    def x(self):\n        return self._x\n    @x.setter\n"
        "    def x(self, value):\n        self._x = value\np{n} = P{n}()\np{n}.x = {v}\n",
        "p{n}.x",
    ),
    "class method as a factory": Spelling(
        "class F{n}:\n    def __init__(self, k):\n        self.k = k\n    @classmethod\n"
        "    def make(cls, k):\n        return cls(k)\n",
        "F{n}.make({v}).k",
    ),
    "static method": Spelling(
        "class S{n}:\n    @staticmethod\n    def same(a):\n        return a\n", "S{n}().same({v})"
    ),
    "generator": Spelling("def g{n}():\n    yield {v}\n", "next(g{n}())"),
    "generator in a loop": Spelling(
        "def g{n}():\n    yield {v}, 'x'\nfor a{n}, b{n} in g{n}():\n    pass\n", "a{n}"
    ),
    "yield from": Spelling(
        "def g{n}():\n    yield {v}\ndef h{n}():\n    yield from g{n}()\n", "next(h{n}())"
    ),
    "starred unpacking": Spelling("a{n}, *b{n}, c{n} = 'x', {v}, 'y'\n", "b{n}[0]"),
    "last of a starred unpacking": Spelling("*b{n}, c{n} = 'x', 'y', {v}\n", "c{n}"),
    "closure with nonlocal": Spelling(
        "def outer{n}():\n    a = None\n    def inner():\n        nonlocal a\n        a = {v}\n"
        "    inner()\n    return a\n",
        "outer{n}()",
    ),
    "closure": Spelling(
        "def outer{n}(a):\n    def inner():\n        return a\n    return inner\n",
        "outer{n}({v})()",
    ),
    "global": Spelling(
        "g{n} = None\ndef set{n}():\n    global g{n}\n    g{n} = {v}\nset{n}()\n", "g{n}"
    ),
    "with": Spelling("with contextlib.nullcontext():\n    a{n} = {v}\n", "a{n}"),
    "with as": Spelling(
        "class W{n}:\n    def __init__(self, k):\n        self.k = k\n    def __enter__(self):\n"
        "        return self.k\n    def __exit__(self, *e):\n        pass\n"
        "with W{n}({v}) as a{n}:\n    pass\n",
        "a{n}",
    ),
    "context manager": Spelling(
        "@contextlib.contextmanager\ndef w{n}():\n    yield {v}\nwith w{n}() as a{n}:\n    pass\n",
        "a{n}",
    ),
    "await": Spelling(
        "import asyncio\nasync def make{n}():\n    return {v}\nasync def run{n}():\n"
        "    return await make{n}()\n",
        "asyncio.run(run{n}())",
    ),
    "zip": Spelling("for a{n}, b{n} in zip([{v}], 'x'):\n    pass\n", "a{n}"),
    "enumerate": Spelling("for i{n}, a{n} in enumerate([{v}]):\n    pass\n", "a{n}"),
    "items": Spelling("for k{n}, a{n} in {{'k': {v}}}.items():\n    pass\n", "a{n}"),
    "comprehension": Spelling("s{n} = [a for a in [{v}]]\n", "s{n}[0]"),
    "keyword arguments": Spelling(
        "def same{n}(**k):\n    return k['a']\n", "same{n}(a={v}, b='x')"
    ),
    "starred arguments": Spelling("def same{n}(*k):\n    return k[0]\n", "same{n}({v}, 'x')"),
    "passed on": Spelling(
        "def same{n}(a, b):\n    return a\ndef pass{n}(*k, **o):\n    return same{n}(*k, **o)\n",
        "pass{n}({v}, b='x')",
    ),
    "named tuple": Spelling("N{n} = collections.namedtuple('N{n}', 'k l')\n", "N{n}({v}, 'x').k"),
    "typed named tuple": Spelling(
        "class N{n}(typing.NamedTuple):\n    k: object\n    l: str = 'x'\na{n}, b{n} = N{n}({v})\n",
        "a{n}",
    ),
    "decorator": Spelling(
        "def deco{n}(f):\n    @functools.wraps(f)\n    def wrapped(*a, **k):\n"
        "        return f(*a, **k)\n    return wrapped\n@deco{n}\ndef make{n}(a):\n    return a\n",
        "make{n}({v})",
    ),
    "base class": Spelling(
        "class B{n}:\n    def __init__(self, k):\n        self.k = k\nclass D{n}(B{n}):\n"
        "    def __init__(self, k):\n        super().__init__(k)\n    def get(self):\n"
        "        return self.k\n",
        "D{n}({v}).get()",
    ),
    "first of two bases": Spelling(
        "class A{n}:\n    def get(self, k):\n        return k\nclass B{n}:\n"
        "    def get(self, k):\n        return 'x'\nclass D{n}(A{n}, B{n}):\n    pass\n",
        "D{n}().get({v})",
    ),
    "super beside": Spelling(
        "class R{n}:\n    def get(self, k):\n        return k\nclass A{n}(R{n}):\n"
        "    def get(self, k):\n        return super().get(k)\nclass D{n}(A{n}, R{n}):\n    pass\n",
        "D{n}().get({v})",
    ),
    "called instance": Spelling(
        "class C{n}:\n    def __call__(self, a):\n        return a\n", "C{n}()({v})"
    ),
    "item of an own class": Spelling(
        "class C{n}:\n    def __init__(self, a):\n        self.a = a\n"
        "    def __getitem__(self, i):\n        return self.a\n",
        "C{n}({v})[0]",
    ),
    "iterated own class": Spelling(
        "class C{n}:\n    def __init__(self, a):\n        self.a = a\n    def __iter__(self):\n"
        "        yield self.a\nfor a{n} in C{n}({v}):\n    pass\n",
        "a{n}",
    ),
    "own iterator": Spelling(
        "class C{n}:\n    def __init__(self, a):\n        self.a = a\n    def __iter__(self):\n"
        "        return self\n    def __next__(self):\n        return self.a\n"
        "for a{n} in C{n}({v}):\n    pass\n",
        "a{n}",
    ),
    "own operator": Spelling(
        "class C{n}:\n    def __init__(self, a):\n        self.a = a\n    def __or__(self, o):\n"
        "        return self.a\n",
        "C{n}({v}) | 1",
    ),
    "lists added": Spelling("s{n} = [{v}] + []\n", "s{n}[0]"),
    "copied dictionary": Spelling("d{n} = dict({{'k': {v}}}, l='x')\n", "d{n}['k']"),
    "merged dictionary": Spelling("d{n} = {{**{{'k': {v}}}, 'l': 'x'}}\n", "d{n}['k']"),
    "slice stored": Spelling("s{n} = []\ns{n}[:] = [{v}]\n", "s{n}[0]"),
    "getattr": Spelling("class K{n}:\n    k = {v}\n", "getattr(K{n}, 'k')"),
    "setattr": Spelling("class K{n}:\n    k = None\nsetattr(K{n}, 'k', {v})\n", "K{n}.k"),
    "map": Spelling("f{n} = lambda a: a\n", "next(map(f{n}, [{v}]))"),
    "conditional expression": Spelling("a{n} = {v} if x[0] else None\n", "a{n}"),
    "del behind": Spelling("a{n} = {v}\nb{n} = a{n}\ndel a{n}\n", "b{n}"),
    "bound anew before the call": Spelling(
        "a{n} = object()\ndef get{n}():\n    return a{n}\na{n} = {v}\n", "get{n}()"
    ),
    "exit in the other branch": Spelling(
        "import sys\na{n} = object()\nif x[0]:\n    a{n} = {v}\nelse:\n    sys.exit()\n", "a{n}"
    ),
    "while": Spelling("a{n} = {v}\nwhile x[0]:\n    a{n} = a{n}\n", "a{n}"),
    **FOLLOWED,
}
