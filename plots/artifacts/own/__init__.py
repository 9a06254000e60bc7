"""What is of no paper: this project's own comparisons."""
