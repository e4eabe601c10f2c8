"""Whether all workers agree: on values, on the way they take, on what chance gives."""
