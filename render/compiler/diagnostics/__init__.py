"""Messages of a compile: problems, removals, and merge blockers."""
