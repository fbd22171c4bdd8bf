#version 450
#include "sprite_rows.glsl"

layout(push_constant) uniform Push {
    int first;
    int glyphs;  // 1: of the glyph sheet
    vec2 origin;  // offset of the viewport within the picture, in pixels
    vec2 extent;  // size of the viewport, in pixels
    float scale;  // pixels per HUD unit
} push;

void main() {
    glyphs = float(push.glyphs);
    SpriteRow sprite = sprites[push.first + gl_InstanceIndex];
    vec2 at = sprite_corner(sprite, gl_VertexIndex) * vec2(1.0, -1.0);
    vec2 place = ((sprite.place.xy + at) * push.scale - push.origin) / push.extent * 2.0 - 1.0;
    gl_Position = vec4(place.x, -place.y, 0.0, 1.0);
}
