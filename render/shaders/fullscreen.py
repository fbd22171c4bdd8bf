"""Full-screen fragment shaders as compute shaders, from the same GLSL.

The outputs become global variables, which a generated entry point stores to images of the same size; ``gl_FragCoord``
and the input at location 0 come from the invocation's number. Nothing else of the text changes, and ``#line``
directives keep the compiler's messages at the author's lines.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from renderwright.render.errors import ShaderError, SourceLocation
from renderwright.render.shaders.expanded_text import LINE_DIRECTIVE, author_place, without_comments
from renderwright.render.shaders.fullscreen_interface import INTERFACE, check_interface
from renderwright.render.types.fullscreen import output_name

GROUP_SIZE = 8
"""Texels along each side of a workgroup."""

FIRST_BINDING = 64
"""The binding of the image for location 0. The node's own bindings have smaller numbers."""

_STORED = {
    "float": "vec4({0}, 0.0, 0.0, 1.0)",
    "vec2": "vec4({0}, 0.0, 1.0)",
    "vec3": "vec4({0}, 1.0)",
    "vec4": "{0}",
    "int": "ivec4({0}, 0, 0, 1)",
    "ivec2": "ivec4({0}, 0, 1)",
    "ivec3": "ivec4({0}, 1)",
    "ivec4": "{0}",
    "uint": "uvec4({0}, 0u, 0u, 1u)",
    "uvec2": "uvec4({0}, 0u, 1u)",
    "uvec3": "uvec4({0}, 1u)",
    "uvec4": "{0}",
}
_IMAGES = {"i": "iimage2D", "u": "uimage2D"}

_PROLOGUE = """\
#define gl_FragCoord vec4(vec2(gl_GlobalInvocationID.xy) + 0.5, 0.0, 1.0)
#define main fullscreen_main
"""

_ENCODED = "vec4(mix({0} * 12.92, pow({0}, vec3(1.0 / 2.4)) * 1.055 - 0.055, step(0.0031308, {0})), {1}.a)"
"""Source: IEC 61966-2-1."""

_STORES = """\
#ifdef FULLSCREEN_STORE_{0}
    FULLSCREEN_STORE_{0};
#endif
"""

_INPUT = "ivec2 fullscreen_size(); vec2 {0} = (vec2(gl_GlobalInvocationID.xy) + 0.5) / vec2(fullscreen_size());"
"""Global variables behind it may be initialised from it."""

_ENTRY_POINT = """\
#undef main
ivec2 fullscreen_size() {{
    return FULLSCREEN_EXTENT;
}}
layout(local_size_x = {group}, local_size_y = {group}) in;
void main() {{
    ivec2 fullscreen_texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 fullscreen_extent = FULLSCREEN_EXTENT;
    if (any(greaterThanEqual(fullscreen_texel, fullscreen_extent))) {{
        return;
    }}
    fullscreen_main();
{stores}}}
"""


def as_compute(text: str, srgb: Collection[int] = ()) -> str:
    """The text of the compute shader for an expanded fragment shader (``includes.expand``).

    The outputs at ``srgb`` locations are encoded before they are stored.
    Raises ``ShaderError`` for an input or output that a full-screen shader cannot have, and without any output.
    """
    code = without_comments(text)
    check_interface(text, code)
    parts, done, locations = list[str](), 0, set[int]()
    for found in INTERFACE.finditer(code):
        parts.append(text[done : found.start()])
        if found["direction"] == "in":
            parts.append(_input(found, text))
        else:
            locations.add(int(found["location"]))
            parts.append(_output(found, text, encoded=int(found["location"]) in srgb))
        done = found.end()
    if not locations:
        file = author_place(text, len(text)).file
        raise ShaderError(
            "a full-screen shader without outputs draws nothing",
            hint="write layout(location = 0) out vec4 color;",
            where=SourceLocation(file),
        )
    parts.append(text[done:])
    whole = "".join(parts)
    body = LINE_DIRECTIVE.search(whole)
    start = body.start() if body else 0
    stores = "".join(_STORES.format(location) for location in sorted(locations))
    entry = _ENTRY_POINT.format(group=GROUP_SIZE, stores=stores)
    return f"{whole[:start]}{_PROLOGUE}{whole[start:]}{entry}"


def _input(found: re.Match[str], text: str) -> str:
    """The declaration of a global variable for the one input, the place in the picture."""
    if (found["type"], found["location"]) != ("vec2", "0"):
        raise ShaderError(
            f'"{found["name"]}" is no input of a full-screen shader, which has only its place in the picture',
            hint="write layout(location = 0) in vec2 uv;",
            where=author_place(text, found.start()),
        )
    return _declared(found, text, [_INPUT.format(found["name"])])


def _output(found: re.Match[str], text: str, *, encoded: bool) -> str:
    """The declaration of a global variable and of the image that it is stored to."""
    kind, name, location = found["type"], found["name"], int(found["location"])
    if kind not in _STORED:
        raise ShaderError(
            f'the output "{name}" has the type {kind}, which no texture takes',
            hint="use float, vec2 to vec4, or their int and uint counterparts",
            where=author_place(text, found.start()),
        )
    image, image_type = output_name(location), _IMAGES.get(kind[0], "image2D")
    value = _STORED[kind].format(name)
    if encoded:
        value = _ENCODED.format(f"clamp({value}.rgb, 0.0, 1.0)", value)
    lines = [
        f"{kind} {name};",
        f"layout(set = 0, binding = {FIRST_BINDING + location}) uniform writeonly {image_type} {image};",
        f"#define FULLSCREEN_STORE_{location} imageStore({image}, fullscreen_texel, {value})",
        "#ifndef FULLSCREEN_EXTENT",
        f"#define FULLSCREEN_EXTENT imageSize({image})",
        "#endif",
    ]
    return _declared(found, text, lines)


def _declared(found: re.Match[str], text: str, lines: list[str]) -> str:
    """Lines in place of a declaration; what follows is still in the author's line."""
    after = author_place(text, found.end())
    return "\n".join([*lines, f'#line {after.line} "{after.file}"', ""])
