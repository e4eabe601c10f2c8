"""`distify server`: what `check` finds, in editors, while somebody types."""
