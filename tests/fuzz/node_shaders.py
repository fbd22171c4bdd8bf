"""GLSL for nodes of random graphs: everything that a node reads is mixed into one number, and what it writes is that.

Numbers are spread over texels as multiples of 1/255, which every format of the graphs keeps, so pictures are equal or
different to the bit. Texels and words that a shader also writes are read by the invocation alone that writes them.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

GATHERED = 6
"""Length of an array of gathered textures; the rest of it repeats the last."""

IMAGE_FORMATS = {
    "rgba8_unorm": "rgba8", "rgba16_sfloat": "rgba16f", "r32_sfloat": "r32f", "rgba32_sfloat": "rgba32f",
}  # fmt: skip


class Kind(StrEnum):
    """How a shader sees a resource."""

    SAMPLED = "sampled"
    IMAGE = "image"
    BUFFER = "buffer"
    UNIFORM = "uniform"


@dataclass(frozen=True)
class Slot:
    """One resource of a shader. ``fresh``: it holds nothing before it is written. ``bit`` is that of a history in the
    push constant that says which of them can be read, -1 for others."""

    name: str
    kind: Kind
    format: str = ""
    layered: bool = False
    gathered: bool = False
    reads: bool = True
    writes: bool = False
    fresh: bool = False
    optional: bool = False
    bit: int = -1


HEAD = """#version 450
layout(push_constant) uniform Push { uint seed; uint held; } push;
uint number;
void take(uint value) { number = (number ^ value) * 747796405u + 2891336453u; number ^= number >> 15; }
void take(vec4 t) {
    take(floatBitsToUint(t.x)); take(floatBitsToUint(t.y)); take(floatBitsToUint(t.z)); take(floatBitsToUint(t.w));
}
vec4 texel() { take(1u); return vec4((uvec4(number) >> uvec4(0u, 8u, 16u, 24u)) & 255u) / 255.0; }
"""


def fragment_source(slots: list[Slot], colors: int, depth: bool, vertices: bool) -> str:
    """A full-screen pass. PARTIAL leaves some texels out, STORE lets it write to storage."""
    lines = [HEAD, *(line for number, slot in enumerate(slots) for line in _declared(slot, number))]
    lines += [f"layout(location = {number}) out vec4 color{number};" for number in range(colors)]
    if vertices:
        lines.append("layout(location = 1) flat in uint vertices;")
    lines += ["void main() {", "ivec2 at = ivec2(gl_FragCoord.xy);", "uint first = uint(at.y) * 64u + uint(at.x);"]
    lines += ["uint step = 4096u;", "number = push.seed ^ (first * 2654435769u);"]
    if vertices:
        lines.append("take(vertices);")
    lines += _reads([slot for slot in slots if not slot.writes])
    lines += ["#if STORE", *_reads([slot for slot in slots if slot.writes]), *_writes(slots), "#endif"]
    if depth:
        lines += ["take(7u);", "gl_FragDepth = float(number & 255u) / 255.0;"]
    lines += [f"color{number} = texel();" for number in range(colors)]
    lines += ["#if PARTIAL", "if ((first & 1u) == (push.seed & 1u)) discard;", "#endif", "}"]
    return "\n".join(lines) + "\n"


def vertex_source() -> str:
    """A triangle over the screen with four bytes of each vertex."""
    return """#version 450
layout(location = 0) in uvec4 bytes;
layout(location = 1) flat out uint vertices;
void main() {
    vec2 uv = vec2(gl_VertexIndex & 2, (gl_VertexIndex << 1) & 2);
    vertices = bytes.x | bytes.y << 8 | bytes.z << 16 | bytes.w << 24;
    gl_Position = vec4(uv.x * 2.0 - 1.0, 1.0 - uv.y * 2.0, 0.0, 1.0);
}
"""


def compute_source(slots: list[Slot]) -> str:
    """One invocation for each texel of the largest image that is written."""
    lines = [HEAD, "layout(local_size_x = 8, local_size_y = 8) in;"]
    lines += [line for number, slot in enumerate(slots) for line in _declared(slot, number)]
    lines += ["void main() {", "ivec2 at = ivec2(gl_GlobalInvocationID.xy);"]
    lines += ["uvec2 grid = gl_NumWorkGroups.xy * 8u;", "uint first = uint(at.y) * grid.x + uint(at.x);"]
    lines += ["uint step = grid.x * grid.y;", "number = push.seed ^ (first * 2654435769u);"]
    lines += [*_reads(slots), *_writes(slots), "}"]
    return "\n".join(lines) + "\n"


def digest_source(slot: Slot) -> str:
    """Folds all of a resource into the words of the buffer ``digest``, on top of what they hold."""
    reading = {
        Kind.SAMPLED: f"ivec3 size = textureSize({slot.name}, 0).xyx; int layers = 1;",
        Kind.BUFFER: f"uint count = uint({slot.name}_words.length());",
    }[slot.kind]
    if slot.kind is Kind.SAMPLED:
        if slot.layered:
            reading = f"ivec3 size = textureSize({slot.name}, 0); int layers = size.z;"
        reading += "uint count = uint(size.x * size.y * layers);"
        place = "ivec2 at = ivec2(int(n) % size.x, (int(n) / size.x) % size.y);"
        fetch = f"texelFetch({slot.name}, {'ivec3(at, int(n) / (size.x * size.y))' if slot.layered else 'at'}, 0)"
        taking = f"{place} take({fetch});"
    else:
        taking = f"take({slot.name}_words[n]);"
    return "\n".join(
        [
            HEAD,
            "layout(local_size_x = 64) in;",
            *_declared(slot, 0),
            "layout(std430, set = 0, binding = 1) buffer digest { uint words[]; };",
            "void main() {",
            "uint id = gl_GlobalInvocationID.x;",
            "if (id >= uint(words.length())) return;",
            "number = words[id];",
            "take(push.seed);",
            reading,
            f"for (uint n = id; n < count; n += uint(words.length())) {{ {taking} }}",
            "words[id] = number;",
            "}",
            "",
        ]
    )


class ShaderFolder:
    """Where sources are written, each once, under a name made of what is in them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def file(self, source: str, stage: str) -> str:
        """The name of a file with that source."""
        name = f"{hashlib.sha256(source.encode()).hexdigest()[:16]}.{stage}"
        path = self.folder / name
        if not path.exists():
            path.write_text(source)
        return name


def _wrapped(slot: Slot, lines: list[str]) -> list[str]:
    return [f"#if HAS_{slot.name.upper()}", *lines, "#endif"] if slot.optional else lines


def _declared(slot: Slot, number: int) -> list[str]:
    place = f"set = 0, binding = {number}"
    shape = "2DArray" if slot.layered else "2D"
    only = "" if slot.writes and slot.reads else "writeonly " if slot.writes else "readonly "
    match slot.kind:
        case Kind.SAMPLED:
            many = f"[{GATHERED}]" if slot.gathered else ""
            line = f"layout({place}) uniform sampler{shape} {slot.name}{many};"
        case Kind.IMAGE:
            line = f"layout({place}, {IMAGE_FORMATS[slot.format]}) {only}uniform image{shape} {slot.name};"
        case Kind.BUFFER:
            line = f"layout(std430, {place}) {only}buffer {slot.name} {{ uint {slot.name}_words[]; }};"
        case Kind.UNIFORM:
            line = f"layout(std140, {place}) uniform {slot.name} {{ uvec4 {slot.name}_value; }};"
    return _wrapped(slot, [line])


def _reads(slots: list[Slot]) -> list[str]:
    lines = []
    for slot in slots:
        if slot.reads:
            found = [f"{{ {line} }}" for line in _read(slot)]
            if slot.bit >= 0:
                found = [f"if ((push.held >> {slot.bit} & 1u) != 0u) {{", *found, "}"]
            lines += _wrapped(slot, found)
    return lines


def _read(slot: Slot) -> list[str]:
    name = slot.name
    match slot.kind:
        case Kind.SAMPLED:
            names = [f"{name}[{number}]" for number in range(GATHERED)] if slot.gathered else [name]
            return [_fetch(one, f"textureSize({one}, 0)", "texelFetch", ", 0", slot.layered) for one in names]
        case Kind.IMAGE if not slot.writes:
            return [_fetch(name, f"imageSize({name})", "imageLoad", "", slot.layered)]
        case Kind.IMAGE:
            at = "ivec3(at, 0)" if slot.layered else "at"
            return [f"if (all(lessThan(at, imageSize({name}).xy))) take(imageLoad({name}, {at}));"]
        case Kind.BUFFER if not slot.writes:
            return [f"take({name}_words[first % uint({name}_words.length())]);", f"take({name}_words[0]);"]
        case Kind.BUFFER:
            return [f"if (first < uint({name}_words.length())) take({name}_words[first]);"]
        case Kind.UNIFORM:
            return [f"take({name}_value.x); take({name}_value.w);"]


def _fetch(name: str, size: str, function: str, level: str, layered: bool) -> str:
    """A texel and its neighbour."""
    if not layered:
        return (
            f"ivec2 s = {size}; take({function}({name}, at % s{level})); take({function}({name}, (at + 1) % s{level}));"
        )
    return f"ivec3 s = {size}; take({function}({name}, ivec3(at % s.xy, (at.x + at.y) % s.z){level}));"


def _writes(slots: list[Slot]) -> list[str]:
    lines = []
    for slot in slots:
        if slot.writes:
            lines += _wrapped(slot, _write(slot))
    return lines


def _write(slot: Slot) -> list[str]:
    """What is fresh is written as a whole, else some of it stays."""
    name = slot.name
    some = "true" if slot.fresh else "((first + push.seed) & 1u) == 0u"
    if slot.kind is Kind.BUFFER:
        loop = f"for (uint n = first; n < uint({name}_words.length()); n += step)"
        return [f"{loop} if ({'true' if slot.fresh else '((n + push.seed) & 1u) == 0u'}) {name}_words[n] = number + n;"]
    inside = f"if (all(lessThan(at, imageSize({name}).xy)) && {some})"
    if not slot.layered:
        return [f"{inside} imageStore({name}, at, texel());"]
    return [f"{inside} for (int n = 0; n < imageSize({name}).z; n++) imageStore({name}, ivec3(at, n), texel());"]
