// The air between the camera and a point: exponential height fog with scattered sunlight. Include camera.glsl and
// lighting.glsl before.

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

// Integral of density * exp(-falloff * (y - height)) over a straight path between two heights.
float optical_depth(float from, float to, float length_) {
    float a = max(air.falloff * (from - air.height), -80.0);
    float b = max(air.falloff * (to - air.height), -80.0);
    float mean = abs(b - a) < 0.01 ? exp(-0.5 * (a + b)) : (exp(-a) - exp(-b)) / (b - a);
    return air.density * length_ * mean;
}

// Phase function per steradian (Henyey and Greenstein 1941).
float phase(float cosine) {
    float g = air.glow;
    return (1.0 - g * g) * 0.25 * INV_PI / pow(1.0 + g * g - 2.0 * g * cosine, 1.5);
}

// The light that the air scatters towards the eye on a way of `away` metres along a ray in rgb, and the share of the
// light from its end that it replaces in a.
vec4 air_along(vec3 eye, vec3 ray, float away) {
    float end = min(away, air.reach);
    float begin = min(air.start, end);
    float passed = optical_depth(eye.y + ray.y * begin, eye.y + ray.y * end, end - begin);
    float hidden = min(1.0 - exp(-passed), air.opacity);
    vec3 scattered = lights.horizon + lights.sun_radiance * air.sun * phase(dot(ray, -lights.sun_direction));
    return vec4(scattered * air.color, hidden);
}
