"""An independent judge of recorded command streams.

It implements Vulkan's synchronisation rules, independently of graphs, plans and the derivation of barriers.
docs/stream-format.md describes its input.
"""

from renderwright.render.sync.oracle.checker import Report, check
from renderwright.render.sync.oracle.fields import StreamError
from renderwright.render.sync.oracle.findings import Finding, Kind
from renderwright.render.sync.oracle.reader import read_stream, read_stream_text
from renderwright.render.sync.oracle.writer import write_stream

__all__ = ["Finding", "Kind", "Report", "StreamError", "check", "read_stream", "read_stream_text", "write_stream"]
