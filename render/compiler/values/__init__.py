"""The frozen results of the stages."""
