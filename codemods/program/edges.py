"""The labels of edges: in which way a value gets from one node to another."""

from __future__ import annotations

from enum import Flag, auto


class Edge(Flag):
    """How the value of a node depends on another node."""

    ALIAS = auto()  # the same value under another name
    PART = auto()  # taken out of a container at a known place
    ELEMENT = auto()  # one of the elements of a container
    CHOICE = auto()  # one of several values
    RETURN = auto()  # what a call gives back
    PARAMETER = auto()  # an argument, seen inside of the function
    ATTRIBUTE = auto()  # an attribute of an instance, class or module
    STORED = auto()  # put into a container or an attribute
    COMPUTED = auto()  # an operand of what is computed anew
    CONDITION = auto()  # decides whether or which value it is


VALUE = (
    Edge.ALIAS
    | Edge.PART
    | Edge.ELEMENT
    | Edge.CHOICE
    | Edge.RETURN
    | Edge.PARAMETER
    | Edge.ATTRIBUTE
    | Edge.STORED
)
ANY = VALUE | Edge.COMPUTED | Edge.CONDITION
