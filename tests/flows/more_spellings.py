"""More spellings, as text: `# name: expression`, then the statements."""

from __future__ import annotations

import sys
from typing import NamedTuple


class Spelling(NamedTuple):
    """Statements, and the expression that then holds the value."""

    setup: str
    use: str

    def text(self, value: str, number: int = 0) -> tuple[str, str]:
        """The statements and the expression for a value."""
        return self.setup.format(v=value, n=number), self.use.format(v=value, n=number)


def table(text: str) -> dict[str, Spelling]:
    """The spellings of a text by their names."""
    found = {}
    for part in text.split("\n# ")[1:]:
        head, _, setup = part.partition("\n")
        name, _, use = head.partition(": ")
        found[name] = Spelling(setup.strip("\n") + "\n" if setup.strip() else "", use)
    return found


FOLLOWED = table("""
# double-ended queue: q{n}[0]
q{n} = collections.deque()
q{n}.append({v})

# dictionary of lists: d{n}['k'][0]
d{n} = collections.defaultdict(list)
d{n}['k'].append({v})

# default of a dictionary: a{n}
d{n} = {{}}
a{n} = d{n}.setdefault('k', {v})

# updated dictionary: d{n}['k']
d{n} = {{}}
d{n}.update(k={v})

# popped: d{n}.pop('k')
d{n} = {{'k': {v}}}

# extended: s{n}[-1]
s{n} = []
s{n}.extend([{v}])

# finally: a{n}
try:
    a{n} = None
finally:
    a{n} = {v}

# for else: a{n}
for i{n} in x:
    pass
else:
    a{n} = {v}

# cached property: C{n}().k
class C{n}:

    @functools.cached_property
    def k(self):
        return {v}

# cached function: make{n}()
@functools.lru_cache(maxsize=None)
def make{n}():
    return {v}

# behind the init of a data class: C{n}().k
@dataclasses.dataclass
class C{n}:
    l: str = 'x'

    def __post_init__(self):
        self.k = {v}

# factory of a field: C{n}().k
@dataclasses.dataclass
class C{n}:
    k: object = dataclasses.field(default_factory=lambda: {v})

# registry: R{n}['a']()
R{n} = {{}}

def register{n}(name):

    def deco(f):
        R{n}[name] = f
        return f
    return deco

@register{n}('a')
def f{n}():
    return {v}

# table of functions: {{'a': f{n}}}.get('a')()
def f{n}():
    return {v}

# chained: a{n}
import itertools
for a{n} in itertools.chain([{v}]):
    pass

# reversed: a{n}
for a{n} in reversed([{v}]):
    pass

# dictionary of pairs: d{n}['a']
d{n} = dict(zip(['a'], [{v}]))

# recursion: r{n}(3, {v})
def r{n}(i, k):
    return k if i == 0 else r{n}(i - 1, k)

# class in a function: f{n}({v}).v
def f{n}(k):

    class C:
        v = k
    return C

# globals: a{n}
globals()['a{n}'] = {v}

# swapped: a{n}
a{n}, b{n} = ('x', {v})
a{n}, b{n} = (b{n}, a{n})

# nested targets: a{n}
for k{n}, (a{n}, b{n}) in enumerate([({v}, 'x')]):
    pass

# reduced: f{n}
f{n} = functools.reduce(lambda a, b: a, [{v}])

# stack of contexts: a{n}
with contextlib.ExitStack() as e{n}:
    a{n} = e{n}.enter_context(contextlib.nullcontext({v}))

# null context: a{n}
with contextlib.nullcontext({v}) as a{n}:
    pass

# reduced by functions: f{n}
f{n} = functools.reduce(lambda a, f: f(a), [lambda a: {v}, lambda a: a], None)

# inside of a context manager that raises again: a{n}
@contextlib.contextmanager
def timed{n}():
    try:
        yield
    except ValueError:
        print('x')
        raise
    finally:
        print('y')
with timed{n}():
    a{n} = {v}

# slice of a list: ['x', {v}, 'y'][1:][0]

# slice from behind: ('x', 'y', {v})[::-1][0]

# starred tuple: second{n}(*('x', {v}))
def second{n}(a, b, c=None):
    return b

# starred tuple behind an argument: second{n}('x', *[{v}, 'y'])
def second{n}(a, b, c=None):
    return b

# best of several: max([{v}], key=id)

# least of two: min({v}, {v}, key=lambda a: 1)

# repeated: next(itertools.repeat({v}))
import itertools

# product: a{n}
import itertools
for a{n}, b{n} in itertools.product([{v}], 'x'):
    pass

# zipped to the longest: b{n}
import itertools
for a{n}, b{n} in itertools.zip_longest('x', [{v}]):
    pass

# chained lists: [*itertools.chain.from_iterable([[{v}]])][0]
import itertools

# lists added up: sum([[{v}]], [])[0]

# popped pair: a{n}
k{n}, a{n} = {{'k': {v}}}.popitem()

# gathered: a{n}
import asyncio
async def make{n}():
    return {v}
async def run{n}():
    x, k = await asyncio.gather(asyncio.sleep(1), make{n}())
    return k
a{n} = asyncio.run(run{n}())

# task: asyncio.run(run{n}())
import asyncio
async def make{n}():
    return {v}
async def run{n}():
    task = asyncio.create_task(make{n}())
    await task
    return task.result()

# method of a class: C{n}.f(C{n}(), {v})
class C{n}:

    def f(self, a):
        return a
""")
# Unknown for every role, or one role among others.
UNFOLLOWED = table("""
# inserted in front: s{n}.pop(0)
s{n} = ['x']
s{n}.insert(0, {v})

# vars: o{n}.k
class N{n}:
    pass
o{n} = N{n}()
vars(o{n})['k'] = {v}

# made by __new__: C{n}({v}).k
class C{n}:

    def __new__(cls, k):
        s = super().__new__(cls)
        s.k = k
        return s

# replaced field: dataclasses.replace(C{n}(), k={v}).k
@dataclasses.dataclass
class C{n}:
    k: object = None

# replaced item: N{n}(None, 'x')._replace(k={v}).k
N{n} = collections.namedtuple('N{n}', 'k l')

# any attribute: C{n}({v}).anything
class C{n}:

    def __init__(self, k):
        self.__dict__['i'] = k

    def __getattr__(self, name):
        return self.i

# handed on attribute: O{n}().k
class I{n}:
    k = {v}

class O{n}:

    def __init__(self):
        self.inner = I{n}()

    def __getattr__(self, name):
        return getattr(self.inner, name)

# getter of an item: operator.itemgetter(0)([{v}])
import operator

# getter of an attribute: operator.attrgetter('k')(o{n})
import operator
o{n} = types.SimpleNamespace(k={v})

# and: True and {v}

# metaclass: C{n}({v}).k
class M{n}(type):

    def __call__(cls, *a):
        return super().__call__(*a)

class C{n}(metaclass=M{n}):

    def __init__(self, k):
        self.k = k

# singleton: C{n}.get()
class C{n}:
    _i = None

    @classmethod
    def get(cls):
        if cls._i is None:
            cls._i = {v}
        return cls._i

# sent: i{n}.send({v})
def g{n}():
    k = (yield)
    yield k
i{n} = g{n}()
next(i{n})

# enumeration: E{n}.k.value
import enum

class E{n}(enum.Enum):
    k = {v}

# chained dictionaries: c{n}['k']
c{n} = collections.ChainMap({{}}, {{'k': {v}}})

# own dictionary: d{n}.k
class D{n}(dict):

    def __getattr__(self, k):
        return self[k]
d{n} = D{n}(k={v})

# mapped with a star: next(itertools.starmap(f{n}, [({v}, 1)]))
import itertools
f{n} = lambda a, b: a

# descriptor: C{n}().k
class D{n}:

    def __get__(self, o, t=None):
        return {v}

class C{n}:
    k = D{n}()

# keyword of a class: C{n}.k
class B{n}:

    def __init_subclass__(cls, k=None):
        cls.k = k

class C{n}(B{n}, k={v}):
    pass

# partial method: C{n}().g('x')
class C{n}:

    def f(self, a, b):
        return a
    g = functools.partialmethod(f, {v})
""")
if sys.version_info >= (3, 10):
    FOLLOWED |= table("""
# captured in a sequence: a{n}
match ({v}, 'x'):
    case [a{n}, b{n}]:
        pass

# match: a{n}
match x[0]:
    case 1:
        a{n} = {v}
    case _:
        a{n} = None

# captured: a{n}
match {v}:
    case a{n}:
        pass
""")
    UNFOLLOWED |= table("""
# captured in a dictionary: a{n}
match {{'k': {v}}}:
    case {{'k': a{n}}}:
        pass

# captured in an object: a{n}
@dataclasses.dataclass
class M{n}:
    k: object
match M{n}({v}):
    case M{n}(k=a{n}):
        pass
""")
