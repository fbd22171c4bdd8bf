// Whether the sun reaches a point, by the shadow maps of request_sun_maps. Include per_invocation.glsl before.

const int SUN_MAPS = 4;

layout(set = 0, binding = 30) uniform SunMapsBlock {
    mat4 matrices[SUN_MAPS];
    int textures[SUN_MAPS];
    int layers[SUN_MAPS];
    int casts;
} sun_maps;
layout(set = 0, binding = 31) uniform sampler2DArray sun_maps_0;
layout(set = 0, binding = 32) uniform sampler2DArray sun_maps_1;
layout(set = 0, binding = 33) uniform sampler2DArray sun_maps_2;
layout(set = 0, binding = 34) uniform sampler2DArray sun_maps_3;

// Four depths around a place of a map, in the order of textureGather.
vec4 sun_map_depths(int number, vec2 at, int invocation) {
    vec3 place = vec3(at, float(sun_maps.layers[number]));
    int chosen = per_invocation(sun_maps.textures[number], invocation);
    vec4 found = textureGather(sun_maps_0, place);
    if (chosen == 1) found = textureGather(sun_maps_1, place);
    if (chosen == 2) found = textureGather(sun_maps_2, place);
    if (chosen == 3) found = textureGather(sun_maps_3, place);
    return found;
}

// Texels of a map along each side.
float sun_map_side() {
    return float(textureSize(sun_maps_0, 0).x);
}

// Place of a point in a map, in texels, and its depth.
vec3 in_sun_map(int number, vec3 position) {
    vec3 clip = (sun_maps.matrices[number] * vec4(position, 1.0)).xyz;
    return vec3(vec2(0.5 + 0.5 * clip.x, 0.5 - 0.5 * clip.y) * sun_map_side(), clip.z);
}

// How many texels a place of a map is away from its edges; negative outside, and beyond the depths of the map.
float in_from_edges(vec3 place) {
    vec2 near = min(place.xy, sun_map_side() - place.xy);
    return place.z > 0.0 && place.z <= 1.0 ? min(near.x, near.y) : -1.0;
}

// A bilinear mean of four comparisons with a map.
float sun_map_open(int number, vec3 place, int invocation) {
    vec2 texel = place.xy - 0.5, share = fract(texel);
    vec4 depths = sun_map_depths(number, (floor(texel) + 1.0) / sun_map_side(), invocation);
    vec4 open = step(depths, vec4(place.z));
    return mix(mix(open.w, open.z, share.x), mix(open.x, open.y, share.x), share.y);
}

// Share of the sun's light that reaches a point in the air, by the finest map around it.
float sun_reaches(vec3 position, int invocation) {
    if (per_invocation(sun_maps.casts == 0, invocation)) {
        return 1.0;
    }
    for (int number = 0; number < SUN_MAPS; ++number) {
        vec3 place = in_sun_map(number, position);
        if (in_from_edges(place) > 1.0) {
            return sun_map_open(number, place, invocation);
        }
    }
    return 1.0;
}

// Share of the sun's light that reaches a surface that is in no map: a mean over the texels around its place in the
// finest map. The place is as far in front of the surface as the mean is wide, so that an opaque surface on which it lies
// does not shade it. The last map fades out. Maps of a sun that casts no shadows are empty.
float sun_reaches_surface(vec3 position, vec3 n, int invocation) {
    const float WIDTH = 2.0, FADE = 0.075;  // in texels from the place, in sides of the map
    float side = sun_map_side();
    for (int number = 0; number < SUN_MAPS; ++number) {
        mat4 matrix = sun_maps.matrices[number];
        float texel = 2.0 / (side * length(vec3(matrix[0].x, matrix[1].x, matrix[2].x)));
        vec3 place = in_sun_map(number, position + n * texel * WIDTH);
        float border = in_from_edges(place) - WIDTH;
        if (border > 0.0) {
            float open = 0.0;
            for (int tap = 0; tap < 4; ++tap) {
                vec2 offset = vec2(tap % 2, tap / 2) * 2.0 - 1.0;
                open += 0.25 * sun_map_open(number, place + vec3(offset * 0.5 * WIDTH, 0.0), invocation);
            }
            float share = number < SUN_MAPS - 1 ? 1.0 : clamp(border / (FADE * side), 0.0, 1.0);
            return mix(1.0, open, share);
        }
    }
    return 1.0;
}
