"""A plan's resources on the device, what is carried over to the next plan, and resources from outside."""
