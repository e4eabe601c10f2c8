"""Writing into instances and classes of the project."""

from __future__ import annotations

from made import Ask, cases, deciding, made

MADE: dict[str, set[str]] = {
    "class A:\n    x = 1\nA.x = 2\nSINK = A().x": {"1", "2"},
    "class A:\n    x = 1\nA.x = 2\nSINK = A.x": {"1", "2"},
    "class A:\n    x = 1\na = A()\na.x = 2\nSINK = A.x": {"1", "2"},
    "class A:\n    x = 1\na = A()\na.x = 2\nSINK = a.x": {"1", "2"},
    "class A:\n    pass\nA.y = 1\nSINK = A().y": {"1"},
    "class A:\n    x = 1\nclass B(A):\n    pass\nA.x = 2\nSINK = B().x": {"1", "2"},
    "class A:\n    @property\n    def x(self):\n        return self.y\n    @x.setter\n    def x(self, v):\n        self.y = v\na = A()\na.x = 1\nSINK = a.y": {"1"},
    "class A:\n    def __setattr__(self, name, value):\n        SINK = value\na = A()\na.x = 1": {"1"},
    "class A:\n    def __setattr__(self, name, value):\n        self.y = value\na = A()\na.x = 1\nSINK = a.y": {"1"},
    "class A:\n    def __setitem__(self, key, value):\n        self.x = value\na = A()\na[1] = 2\nSINK = a.x": {"2"},
    "class A:\n    def __setitem__(self, key, value):\n        self.x = key\na = A()\na[1] = 2\nSINK = a.x": {"?"},
    "class A:\n    def __setattr__(self, name, value):\n        self.y = name\na = A()\na.x = 1\nSINK = a.y": {"<y>", "?"},
}  # fmt: skip

DECIDING: dict[str, set[str]] = {
    "class A:\n    x = 1\na = A()\nif c():\n    a.x = 2\nSINK = a.x": {"lib.c()"},
    "class A:\n    x = 1\nif c():\n    A.x = 2\nSINK = A.x": {"lib.c()"},
    "class A:\n    x = 1\na = A()\nif c():\n    setattr(a, d(), 2)\nSINK = a.x": {"lib.c()"},
    "class A:\n    def __setattr__(self, name, value):\n        self.y = value\na = A()\nif c():\n    a.x = 1\nSINK = a.y": {"lib.c()"},
    "class A:\n    def __setitem__(self, key, value):\n        self.x = value\na = A()\nif c():\n    a[1] = 2\nSINK = a.x": {"lib.c()"},
}  # fmt: skip


@cases((made, MADE), (deciding, DECIDING))
def test_what_is_said_of_a_value(ask: Ask, text: str, expected: set[str]) -> None:
    assert ask(text) == expected
