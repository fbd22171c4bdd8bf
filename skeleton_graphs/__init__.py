"""The skeleton frame graphs that come with the engine, one YAML file each."""
