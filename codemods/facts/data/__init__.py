"""How examples get to the training: pipelines, arrays, shares, counts of steps."""
