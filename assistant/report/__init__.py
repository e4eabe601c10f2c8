"""How results are told: one module per format."""
