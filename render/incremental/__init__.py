"""Memory of compile stages; knows no graphics."""
