"""Which nodes run beside the graphics queue, and what waits for what across queues."""
