"""Metrics of Keras that are means over examples: the mean over shares is that over all of them.

The area under a curve, precision, recall, F1, counts and roots of means are none.
"""

from __future__ import annotations

from .words import words

_MEANS = words("""
accuracy acc binaryaccuracy categoricalaccuracy sparsecategoricalaccuracy topkcategoricalaccuracy
sparsetopkcategoricalaccuracy crossentropy ce binarycrossentropy bce categoricalcrossentropy
sparsecategoricalcrossentropy meansquarederror mse meanabsoluteerror mae
meanabsolutepercentageerror mape meansquaredlogarithmicerror msle cosinesimilarity cosineproximity
hinge squaredhinge categoricalhinge kldivergence kullbackleiblerdivergence kld poisson logcosh
logcosherror huber huberloss mean meantensor meanmetricwrapper meanrelativeerror
""")


def is_mean(name: str) -> bool:
    """Whether a metric of this name (`"mse"`, `….BinaryAccuracy`) is a mean over examples."""
    return name.rpartition(".")[2].replace("_", "").lower() in _MEANS
