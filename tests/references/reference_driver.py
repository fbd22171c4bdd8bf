"""Where the reference pictures are, and what they were made with."""

from __future__ import annotations

import platform
import re
from dataclasses import asdict, dataclass
from pathlib import Path

import yaml

from renderwright.render.backend.capabilities import Capabilities

FOLDER = Path(__file__).parent / "pictures"
MADE_WITH = FOLDER / "made_with.yaml"


@dataclass(frozen=True)
class Driver:
    """What renders. The names tell the version, and of a software driver how wide its vectors are. That one rounds as
    the kind of ``processor`` does: their reciprocals, for one, are not the same."""

    driver: str
    device: str
    processor: str

    @classmethod
    def of(cls, capabilities: Capabilities) -> Driver:
        return cls(capabilities.driver, capabilities.device, processor())

    @classmethod
    def read(cls, path: Path = MADE_WITH) -> Driver:
        return cls(**yaml.safe_load(path.read_text(encoding="utf-8")))

    def write(self, path: Path = MADE_WITH) -> None:
        note = "# What the pictures beside this file were made with; `make references` writes it.\n"
        path.write_text(note + yaml.safe_dump(asdict(self), sort_keys=False), encoding="utf-8")


def processor(cpuinfo: Path = Path("/proc/cpuinfo")) -> str:
    """Who made the processor of this machine, its family and its model, as far as the system tells."""
    try:
        text = cpuinfo.read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or platform.machine()
    fields = dict(reversed(re.findall(r"^(vendor_id|cpu family|model)\s*: (.*)$", text, re.MULTILINE)))
    names = " ".join(fields[name] for name in ("vendor_id", "cpu family", "model") if name in fields)
    return names or platform.machine()
