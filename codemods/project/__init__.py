"""A project's modules as one program: those that an entry imports are put where it imports them."""
