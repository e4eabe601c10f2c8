"""The abstract tree: names, scopes, roles and the training API pattern, as plain data."""
