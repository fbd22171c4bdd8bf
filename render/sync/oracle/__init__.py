"""An independent judge of recorded command streams.

It knows Vulkan's synchronisation rules and nothing of graphs, plans or how barriers are derived; the format of its
input is in docs/stream-format.md.
"""

from renderwright.render.sync.oracle.checker import Report, check
from renderwright.render.sync.oracle.fields import StreamError
from renderwright.render.sync.oracle.findings import Finding, Kind
from renderwright.render.sync.oracle.reader import read_stream, read_stream_text
from renderwright.render.sync.oracle.writer import write_stream

__all__ = ["Finding", "Kind", "Report", "StreamError", "check", "read_stream", "read_stream_text", "write_stream"]
