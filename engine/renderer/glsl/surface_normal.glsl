// The normal of the surface that a texel shows: of the G-buffer, or where there is none, from depth. Include it behind
// camera.glsl and the samplers `depth` and, with HAS_NORMAL, `normal`.

#if HAS_NORMAL
vec3 surface_normal(vec3 position, ivec2 texel) {
    return normalize(texelFetch(normal, texel, 0).xyz);
}
#else
const float STANDS_OUT = 2.0;  // from both neighbours, in widths of a texel

// The change of the position from a texel to the next one, along one axis: to the neighbour at the nearer depth, so that
// a surface beside an edge has its own slope. Of a blade that is one texel wide, or a gap between two, neither neighbour
// shows the surface: it is taken to be at one depth.
vec3 slope(vec3 position, float d, ivec2 texel, ivec2 axis) {
    ivec2 size = textureSize(depth, 0);
    ivec2 before = max(texel - axis, ivec2(0)), after = min(texel + axis, size - 1);
    float to_before = texelFetch(depth, before, 0).r - d, to_after = texelFetch(depth, after, 0).r - d;
    bool back = after == texel || (before != texel && abs(to_before) < abs(to_after));
    vec2 uv = (vec2(back ? before : after) + 0.5) / vec2(size);
    vec3 there = world_position(uv, max(d + (back ? to_before : to_after), 1e-6 * camera.near));
    vec3 level = world_position(uv, max(d, 1e-6 * camera.near));
    bool alone = to_before * to_after > 0.0 && distance(there, level) > STANDS_OUT * distance(level, position);
    vec3 change = (alone ? level : there) - position;
    return back ? -change : change;
}

vec3 surface_normal(vec3 position, ivec2 texel) {
    float d = texelFetch(depth, texel, 0).r;
    vec3 down = slope(position, d, texel, ivec2(0, 1)), right = slope(position, d, texel, ivec2(1, 0));
    return normalize(cross(down, right));
}
#endif
