"""GPU times of nodes, and what is told of slow ones."""
