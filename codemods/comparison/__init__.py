"""Original and result side by side: outside of the places that were rewritten they are the same."""
