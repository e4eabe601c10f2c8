"""What decides whether a text is written: the judge, what no rule can mend, and the ways out."""
