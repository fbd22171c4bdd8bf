// The froxels of the last frame. Include froxels.glsl before.

layout(set = 0, binding = 6) uniform sampler2D last_scattered;  // rgb: light; a: frames of which it is the mean
layout(set = 0, binding = 7) uniform PastBlock {
    mat4 view_projection;
    vec3 position;
    float parallel;
    vec3 forward;
    float range;
    float place;
} past;

// A slice's texels at a place of the picture.
vec4 last_slice(int slice, vec2 uv, ivec2 size) {
    ivec2 tile = tile_size(size);
    vec2 within = clamp(uv, 0.0, 1.0) * vec2(tile - 1);  // the next tile has no weight at 1: what is still stays exact
    return textureLod(last_scattered, (vec2(tile_corner(slice, size)) + 0.5 + within) / vec2(size), 0.0);
}

// The light that the last frame found at a point of the world, and of how many frames it is the mean: 0 if none saw it,
// and in the first frame, in which the texture is clear.
vec4 light_before(vec3 position) {
    vec4 clip = past.view_projection * vec4(position, 1.0);
    vec2 uv = vec2(0.5 + 0.5 * clip.x / clip.w, 0.5 - 0.5 * clip.y / clip.w);
    vec3 way = position - past.position;
    float away = mix(length(way), dot(way, past.forward), past.parallel);
    vec2 beside = abs(uv - 0.5) - 0.5;
    // Not by &&: llvmpipe (Mesa 22.3) crashes in such branches here.
    bool seen = all(bvec4(clip.w > 0.0, max(beside.x, beside.y) <= 1e-4, away >= 0.0, away <= past.range));
    ivec2 size = textureSize(last_scattered, 0);
    int slices = slice_count(size);
    float bend = mix(0.5, 1.0, past.parallel);
    float place = float(slices) * pow(clamp(away / past.range, 0.0, 1.0), bend) - 0.5;
    place = clamp(place, 0.0, float(slices - 1));
    int slice = int(place);
    vec4 before = last_slice(slice, uv, size), behind = last_slice(min(slice + 1, slices - 1), uv, size);
    return seen ? mix(before, behind, place - float(slice)) : vec4(0.0);
}
