"""``play --check``: finds nodes that leave undefined what they declare, and nodes that make NaN or infinity."""
