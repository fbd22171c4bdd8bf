// The normal of the surface that a texel shows: of the G-buffer, or where there is none, from depth. Include it behind
// camera.glsl and the samplers `depth` and, with HAS_NORMAL, `normal`.

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
