// The air of a volume. Include haze.glsl before.

layout(set = 0, binding = 28) uniform AirVolumeBlock {
    float density;
    float falloff;
    float height;
    float range;
    float reach;
    vec3 color;
    float sun;
    float glow;
} air_volume;

// Optical depth of a ray between two distances from its begin, in metres.
float air_volume_depth(vec3 eye, vec3 ray, float begin, float end) {
    return haze_depth(air_volume.density, air_volume.falloff, air_volume.height, eye.y + ray.y * begin,
                      eye.y + ray.y * end, end - begin);
}
