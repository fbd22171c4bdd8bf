"""Which nodes a frame skips."""
