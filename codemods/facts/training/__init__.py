"""What trains: the API pattern, the calls that train, the loops around them."""
