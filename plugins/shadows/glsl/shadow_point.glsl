// The surface point of a texel, from the depth and, if there are any, the normals of the picture.
layout(set = 0, binding = 2) uniform sampler2D depth;
#if HAS_NORMAL
layout(set = 0, binding = 3) uniform sampler2D normal;
#endif

#if HAS_NORMAL
vec3 surface_normal(vec3 position, ivec2 texel) {
    return normalize(texelFetch(normal, texel, 0).xyz);
}
#else
// The change of the position from a texel to the next one, along one axis. Both texels of a pair have the same.
vec3 slope(vec3 position, ivec2 texel, ivec2 axis) {
    ivec2 size = textureSize(depth, 0);
    bool second = any(equal(axis * (texel & 1), ivec2(1))) || any(equal(axis * (texel + 1), size));
    ivec2 other = max(texel + (second ? -axis : axis), ivec2(0));
    float d = texelFetch(depth, other, 0).r;
    vec3 change = world_position((vec2(other) + 0.5) / vec2(size), max(d, 1e-6 * camera.near)) - position;
    return second ? -change : change;
}

vec3 surface_normal(vec3 position, ivec2 texel) {
    return normalize(cross(slope(position, texel, ivec2(0, 1)), slope(position, texel, ivec2(1, 0))));
}
#endif

// The point of a texel of depth d.
Point point_at(vec2 uv, ivec2 texel, float d) {
    Point p;
    p.position = world_position(uv, max(d, 1e-6 * camera.near));
    p.normal = surface_normal(p.position, texel);
    vec3 axis = abs(p.normal.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0);
    p.along = normalize(cross(p.normal, axis));
    p.across = cross(p.normal, p.along);
    // Interleaved gradient noise (Jimenez 2014) rotates the disks of neighbouring texels by very different angles.
    p.turn = TWO_PI * fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    return p;
}
