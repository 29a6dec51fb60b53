"""What is told to people."""
