"""What Python itself does with the names and values of a program, whatever libraries it uses."""
