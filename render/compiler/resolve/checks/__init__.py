"""What can be wrong with a graph; one topic a file."""
