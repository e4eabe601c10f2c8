"""The flat lattice of training API patterns: Unknown, the five patterns, Multiple."""

from __future__ import annotations

from enum import Enum

from ...model import NO_PATTERN


class Pattern(Enum):
    """The flat lattice of training API patterns."""

    UNKNOWN = NO_PATTERN
    SESSION = "Session"
    MONITORED_SESSION = "MonitoredSession"
    ESTIMATOR = "Estimator"
    GRADIENT_TAPE = "GradientTape"
    KERAS = "Keras"
    MULTIPLE = "Multiple"

    def join(self, other: Pattern) -> Pattern:
        """The least upper bound."""
        if self is other or other is Pattern.UNKNOWN:
            return self
        return other if self is Pattern.UNKNOWN else Pattern.MULTIPLE
