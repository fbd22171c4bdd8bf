// The air between the camera and a point: exponential height fog with scattered sunlight. Include camera.glsl and
// lighting.glsl before.
#include "haze.glsl"

layout(set = 0, binding = 21) uniform Air {
    float density;
    float falloff;
    float height;
    float start;
    float reach;
    float opacity;
    vec3 color;
    float sun;
    float glow;
} air;

// The light that the air scatters towards the eye on a way of `away` metres along a ray in rgb, and the share of the
// light from its end that it replaces in a.
vec4 air_along(vec3 eye, vec3 ray, float away) {
    float end = min(away, air.reach);
    float begin = min(air.start, end);
    float from = eye.y + ray.y * begin, to = eye.y + ray.y * end;
    float passed = haze_depth(air.density, air.falloff, air.height, from, to, end - begin);
    float hidden = min(1.0 - exp(-passed), air.opacity);
    float phase = haze_phase(air.glow, dot(ray, -lights.sun_direction));
    vec3 scattered = lights.horizon + lights.sun_radiance * air.sun * phase;
    return vec4(scattered * air.color, hidden);
}
