"""Reading and calling instances and classes of the project."""

from __future__ import annotations

from made import Ask, cases, made

MADE: dict[str, set[str]] = {
    "class A:\n    @property\n    def x(self):\n        return 1\nSINK = A().x": {"1"},
    "class A:\n    @functools.cached_property\n    def x(self):\n        return 1\nSINK = A().x": {"1"},
    "class A:\n    @property\n    def x(self):\n        return 1\n    @x.deleter\n    def x(self):\n        return 2\nSINK = A().x": {"1"},
    "class A:\n    @staticmethod\n    def f(a):\n        return a\nSINK = A().f(1)": {"1"},
    "class A:\n    @staticmethod\n    def f(a):\n        return a\nSINK = A.f(1)": {"1"},
    "class A:\n    @classmethod\n    def f(cls, a):\n        return a\nSINK = A().f(1)": {"1"},
    "class A:\n    @classmethod\n    def f(cls):\n        return cls\nSINK = A.f()": {"class"},
    "class A:\n    @classmethod\n    def f(cls):\n        return cls()\nSINK = A.f()": {"instance"},
    "class A:\n    x = 1\n    @classmethod\n    def f(cls):\n        return cls.x\nSINK = A().f()": {"1"},
    "class A:\n    def f(self, a):\n        return a\nSINK = A.f(A(), 1)": {"1"},
    "class A:\n    def __call__(self, a):\n        return a\nSINK = A()(1)": {"1"},
    "class A:\n    def __call__(self):\n        return self()\nSINK = A()()": {"?"},
    "class A:\n    def __getattr__(self, name):\n        return 1\nSINK = A().x": {"1"},
    "class A:\n    def __getattribute__(self, name):\n        return 1\nSINK = A().x": {"1"},
    "class A:\n    def __getattr__(self, name):\n        return 1\nSINK = A().__x__": {"<__x__>"},
    "class A:\n    def __getitem__(self, key):\n        return key\nSINK = A()[1]": {"1"},
    "class A:\n    def __iter__(self):\n        yield 1\nfor a in A():\n    SINK = a": {"1"},
    "class A:\n    def __iter__(self):\n        yield 1\na, b = A()\nSINK = a": {"1"},
    "class A:\n    def __iter__(self):\n        return self\n    def __next__(self):\n        return 1\nfor a in A():\n    SINK = a": {"1"},
    "class A:\n    def __next__(self):\n        return 1\nSINK = next(A())": {"1"},
    "class A:\n    def __enter__(self):\n        return 1\n    def __exit__(self, *a):\n        pass\nwith A() as a:\n    SINK = a": {"1"},
    "class A:\n    def __await__(self):\n        return 1\nasync def f():\n    global SINK\n    SINK = await A()": {"1"},
    "class A:\n    def __get__(self, a, b):\n        return 1\nclass B:\n    x = A()\nSINK = B().x": {"1", "instance"},
    "class A:\n    pass\nSINK = A()[0]": {"something()"},
    "class A:\n    pass\nSINK = A[0]": {"<0>"},
    "class A:\n    pass\nfor a in A:\n    SINK = a": {"<each>"},
}  # fmt: skip


@cases((made, MADE))
def test_what_is_said_of_a_value(ask: Ask, text: str, expected: set[str]) -> None:
    assert ask(text) == expected
