// Whether the sun reaches a point in the air, by the shadow maps of request_sun_maps. Include per_invocation.glsl before.

#if HAS_SUN_MAPS && HAS_SUN_MAPS_0
const int SUN_MAPS = 4;

layout(set = 0, binding = 30) uniform SunMapsBlock {
    mat4 matrices[SUN_MAPS];
    int textures[SUN_MAPS];
    int layers[SUN_MAPS];
    int casts;
} sun_maps;
layout(set = 0, binding = 31) uniform sampler2DArray sun_maps_0;
#if HAS_SUN_MAPS_1
layout(set = 0, binding = 32) uniform sampler2DArray sun_maps_1;
#endif
#if HAS_SUN_MAPS_2
layout(set = 0, binding = 33) uniform sampler2DArray sun_maps_2;
#endif
#if HAS_SUN_MAPS_3
layout(set = 0, binding = 34) uniform sampler2DArray sun_maps_3;
#endif

// Four depths around a place of a map, in the order of textureGather.
vec4 sun_map_depths(int number, vec2 at) {
    vec3 place = vec3(at, float(sun_maps.layers[number]));
    vec4 found = textureGather(sun_maps_0, place);
#if HAS_SUN_MAPS_1
    if (sun_maps.textures[number] == 1) found = textureGather(sun_maps_1, place);
#endif
#if HAS_SUN_MAPS_2
    if (sun_maps.textures[number] == 2) found = textureGather(sun_maps_2, place);
#endif
#if HAS_SUN_MAPS_3
    if (sun_maps.textures[number] == 3) found = textureGather(sun_maps_3, place);
#endif
    return found;
}

// Share of the sun's light that reaches a point: a bilinear mean of four comparisons in the finest map around it.
float sun_reaches(vec3 position, int invocation) {
    if (per_invocation(sun_maps.casts == 0, invocation)) {
        return 1.0;
    }
    float side = float(textureSize(sun_maps_0, 0).x);
    for (int number = 0; number < SUN_MAPS; ++number) {
        vec3 clip = (sun_maps.matrices[number] * vec4(position, 1.0)).xyz;
        if (max(abs(clip.x), abs(clip.y)) < 1.0 - 2.0 / side && clip.z > 0.0 && clip.z <= 1.0) {
            vec2 texel = vec2(0.5 + 0.5 * clip.x, 0.5 - 0.5 * clip.y) * side - 0.5;
            vec2 share = fract(texel);
            vec4 open = step(sun_map_depths(number, (floor(texel) + 1.0) / side), vec4(clip.z));
            return mix(mix(open.w, open.z, share.x), mix(open.x, open.y, share.x), share.y);
        }
    }
    return 1.0;
}
#else
float sun_reaches(vec3 position, int invocation) {
    return 1.0;
}
#endif
