"""The page of every rule, shown by `distify explain`."""
