"""How each resource is accessed, how long it lives, and what it requires."""
