"""What can't be rewritten safely: facts in, findings out."""
