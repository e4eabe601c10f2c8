"""What is known of the libraries that programs use: tables of their names, and nothing else."""
