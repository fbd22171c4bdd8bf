"""The engine's own nodes: they draw the scene into a skeleton's resources, by name, like any plugin's."""
