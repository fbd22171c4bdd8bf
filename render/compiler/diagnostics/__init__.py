"""Messages of a compile: problems and removals."""
