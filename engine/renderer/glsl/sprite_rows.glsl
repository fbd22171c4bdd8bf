// Rows of sprites, and the corners of their rectangles.

struct SpriteRow {
    vec4 place;  // position and rotation
    vec4 box;    // left, bottom, right, top around the position, before the rotation
    vec4 part;   // uv of the left bottom and the right top corner
    vec4 color;  // linear, straight alpha
};

layout(std430, set = 0, binding = 1) readonly buffer sprite_rows {
    SpriteRow sprites[];
};

layout(location = 0) out vec2 uv;
layout(location = 1) flat out vec4 part;
layout(location = 2) flat out vec4 color;
layout(location = 3) flat out float glyphs;

// A corner relative to the sprite's position, rotated; y is up.
vec2 sprite_corner(SpriteRow sprite, int vertex) {
    vec2 corner = vec2(vertex == 1 || vertex == 2 || vertex == 4, vertex == 2 || vertex == 4 || vertex == 5);
    vec2 at = mix(sprite.box.xy, sprite.box.zw, corner);
    uv = mix(sprite.part.xy, sprite.part.zw, corner);
    part = vec4(min(sprite.part.xy, sprite.part.zw), max(sprite.part.xy, sprite.part.zw));
    color = sprite.color;
    float c = cos(sprite.place.w), s = sin(sprite.place.w);
    return vec2(c * at.x - s * at.y, s * at.x + c * at.y);
}
