"""The public interface of the graph: the frame graph, the request builder, and handles."""
