"""What a number counts: the job's steps, those that each worker takes, or neither."""
