"""An independent judge of recorded command streams.

It knows Vulkan's synchronisation rules and nothing of graphs, plans or how barriers are derived; the format of its
input is in docs/stream-format.md.
"""

from render.sync.oracle.checker import Report, check
from render.sync.oracle.fields import StreamError
from render.sync.oracle.findings import Finding, Kind
from render.sync.oracle.reader import read_stream, read_stream_text
from render.sync.oracle.writer import write_stream

__all__ = ["Finding", "Kind", "Report", "StreamError", "check", "read_stream", "read_stream_text", "write_stream"]
