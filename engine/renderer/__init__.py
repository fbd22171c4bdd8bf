"""The engine's own nodes. They draw the scene into a skeleton's resources by name, as a plugin's nodes do."""
