"""What a class, its bases and its subclasses give."""

from __future__ import annotations

from made import Ask, cases, made

MADE: dict[str, set[str]] = {
    "class A:\n    x = 1\nSINK = A.x": {"1"},
    "class A:\n    x = 1\nSINK = A().x": {"1"},
    "class A:\n    def __init__(self):\n        self.x = 1\nSINK = A().x": {"1"},
    "class A:\n    x = 1\nclass B(A):\n    pass\nSINK = B().x": {"1"},
    "class A:\n    x = 1\nclass B(A):\n    x = 2\nSINK = B().x": {"2"},
    "class A:\n    x = 1\nclass B(A):\n    x = 2\nSINK = A().x": {"1"},
    "class A:\n    def __init__(self):\n        self.x = 1\nclass B(A):\n    pass\nSINK = B().x": {"1"},
    "class A:\n    def __init__(self):\n        self.x = 1\nclass B(A):\n    def __init__(self):\n        super().__init__()\nSINK = B().x": {"1"},
    "class A:\n    def __init__(self):\n        self.x = 1\nclass B(A):\n    def __init__(self):\n        self.x = 2\nSINK = B().x": {"1", "2"},
    "class A:\n    def f(self):\n        return self.x\nclass B(A):\n    x = 1\nSINK = B().f()": {"1"},
    "class A:\n    def f(self):\n        return self.x\nclass B(A):\n    def __init__(self):\n        self.x = 1\nSINK = B().f()": {"1"},
    "class A:\n    def f(self):\n        return self.g()\nclass B(A):\n    def g(self):\n        return 1\nclass C(B):\n    def g(self):\n        return 2\nSINK = C().f()": {"1", "2"},
    "class A:\n    def f(self):\n        return 1\nclass B(A):\n    def f(self):\n        return super().f()\nSINK = B().f()": {"1"},
    "class A:\n    def f(self):\n        return 1\nclass B(A):\n    def f(self):\n        return super(B, self).f()\nSINK = B().f()": {"1"},
    "class A:\n    def f(self):\n        return 1\nclass B(A):\n    pass\nclass C(B):\n    def f(self):\n        return super().f()\nSINK = C().f()": {"1"},
    "class A:\n    x = 1\nclass B:\n    x = 2\nclass C(A, B):\n    pass\nSINK = C().x": {"1"},
    "class A:\n    pass\nclass B:\n    x = 2\nclass C(A, B):\n    pass\nSINK = C().x": {"2"},
    "class A:\n    x = 1\nclass B(A):\n    x = 2\nclass C(A):\n    x = 3\nclass D(B, C):\n    pass\nSINK = D().x": {"2"},
    "class A:\n    def f(self):\n        return 1\nclass B(A):\n    def f(self):\n        return super().f()\nclass C(A):\n    def f(self):\n        return 3\nclass D(B, C):\n    pass\nSINK = D().f()": {"1", "3"},
    "class A(c):\n    pass\nSINK = A().x": {"<x>"},
    "class A(c):\n    x = 1\nSINK = A().x": {"1"},
    "class A(c):\n    pass\nclass B(A):\n    pass\nSINK = B().x": {"<x>"},
    "class A(c):\n    def f(self):\n        return super().g()\nSINK = A().f()": {"something()"},
    "class A:\n    x = 1\nclass B(A, c):\n    pass\nSINK = B().x": {"1"},
    "class A:\n    x = 1\nclass B(c, A):\n    pass\nSINK = B().x": {"1", "<x>"},
    "def f(a):\n    class A(a):\n        pass\n    global SINK\n    SINK = A().x": {"<x>", "?"},
    "def f(a):\n    class A(a):\n        x = 1\n    global SINK\n    SINK = A().x": {"1", "?"},
    "def f(a):\n    class A(a):\n        def g(self):\n            return super().x\n    global SINK\n    SINK = A().g()": {"?"},
    "def f(a):\n    class A:\n        x = 1\n    class B(a, A):\n        pass\n    global SINK\n    SINK = B().x": {"1", "?"},
    "def f(a):\n    class A(a):\n        pass\n    class B(A):\n        pass\n    global SINK\n    SINK = B().x": {"<x>", "?"},
    "class A:\n    x = 1\na = A()\nc(a)\nSINK = a.x": {"1", "?"},
    "class A:\n    x = 1\na = A()\nc(A)\nSINK = a.x": {"1", "?"},
    "class A:\n    pass\nclass B(A):\n    pass\na = B()\nc(A())\nSINK = a.x": {"?"},
    "class A:\n    def f(self):\n        return self\nSINK = A().f()": {"instance"},
    "class A:\n    f = lambda self, a: a\nSINK = A().f(1)": {"1"},
    "class A:\n    pass\nSINK = A()()": {"something()"},
    "class A:\n    pass\nSINK = A": {"class"},
    "class A:\n    pass\nSINK = A()": {"instance"},
    "@c\nclass A:\n    x = 1\nSINK = A": {"lib.c()"},
    "def f(a):\n    return a\n@f\nclass A:\n    x = 1\nSINK = A.x": {"1"},
    "class A:\n    def f(self):\n        return self.g(1)\nclass B(A):\n    def g(self, a):\n        return a\nSINK = B().f()": {"1"},
    "class A:\n    def f(self):\n        return self.g\nclass B(A):\n    def __init__(self):\n        self.g = lambda a: a\nSINK = B().f()(1)": {"1"},
}  # fmt: skip


@cases((made, MADE))
def test_what_is_said_of_a_value(ask: Ask, text: str, expected: set[str]) -> None:
    assert ask(text) == expected
