// How the surfaces of a view run, by their depth. Includers have camera.glsl and, as `sampler2DView`, `depth`.

// Position in view space. Differences of these are exact also far away from the origin of the world.
vec3 view_position(ivec2 texel, float d) {
    vec2 uv = (vec2(texel) + 0.5) / vec2(textureSize(depth, 0).xy);
    vec2 ndc = vec2(uv.x * 2.0 - 1.0, 1.0 - uv.y * 2.0);
    vec2 scale = vec2(camera.projection[0][0], camera.projection[1][1]);
    float away = linear_depth(d);
    vec2 in_perspective = (ndc + camera.projection[2].xy) / scale * away;
    vec2 in_parallel = (ndc - camera.projection[3].xy) / scale;
    return vec3(mix(in_perspective, in_parallel, parallel_rays()), -away);
}

// Bend of a surface between neighbours, in units of depth, up to which both are taken to be on it.
const float SMOOTH = 1e-3;

// Change of the surface's position from a texel to the next: by both neighbours if the surface goes on to both, else by
// that of more similar depth, so that edges do not count.
vec3 slope(ivec2 texel, float d, ivec2 axis) {
    ivec2 last = textureSize(depth, 0).xy - 1;
    ivec2 a = max(texel - axis, ivec2(0)), b = min(texel + axis, last);
    float before = texel_of_view(depth, a, 0).r, after = texel_of_view(depth, b, 0).r;
    float from_before = abs(d - before), to_after = abs(after - d);
    float bend = abs(after - d - (d - before));
    bool inside = a != texel && b != texel;
    if (inside && bend <= 0.5 * min(from_before, to_after) + SMOOTH * depth_unit(d)) {
        return 0.5 * (view_position(b, after) - view_position(a, before));
    }
    bool next = a == texel || (b != texel && to_after < from_before);
    vec3 here = view_position(texel, d);
    return next ? view_position(b, after) - here : here - view_position(a, before);
}
