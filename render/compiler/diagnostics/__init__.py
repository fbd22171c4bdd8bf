"""What a compile tells a person: problems, removals, and why passes do not merge."""
