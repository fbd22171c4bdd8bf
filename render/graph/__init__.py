"""What users call: the frame graph, the request builder, and handles."""
