"""The concrete tree: fissix taught the grammar of Python 3.9 to 3.13."""
