#version 450
#include "camera.glsl"
#include "lighting.glsl"

layout(set = 0, binding = 4) uniform sampler2D source;
layout(set = 0, binding = 5) uniform sampler2D depth;
layout(set = 0, binding = 6) uniform Settings {
    float density;
    float falloff;
    float height;
    float start;
    float reach;
    float opacity;
    vec3 color;
    float sun;
    float glow;
} settings;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_color;

// Integral of density * exp(-falloff * (y - height)) over a straight path between two heights.
float optical_depth(float from, float to, float length_) {
    float a = max(settings.falloff * (from - settings.height), -80.0);
    float b = max(settings.falloff * (to - settings.height), -80.0);
    float mean = abs(b - a) < 0.01 ? exp(-0.5 * (a + b)) : (exp(-a) - exp(-b)) / (b - a);
    return settings.density * length_ * mean;
}

// Phase function per steradian (Henyey and Greenstein 1941).
float phase(float cosine) {
    float g = settings.glow;
    return (1.0 - g * g) * 0.25 * INV_PI / pow(1.0 + g * g - 2.0 * g * cosine, 1.5);
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    float d = texelFetch(depth, texel, 0).r;
    vec3 ray = world_ray(uv), eye = ray_origin(uv);
    float end = d > 0.0 ? min(distance(world_position(uv, d), eye), settings.reach) : settings.reach;
    float begin = min(settings.start, end);
    float passed = optical_depth(eye.y + ray.y * begin, eye.y + ray.y * end, end - begin);
    float hidden = min(1.0 - exp(-passed), settings.opacity);
    vec3 scattered = lights.horizon + lights.sun_radiance * settings.sun * phase(dot(ray, -lights.sun_direction));
    vec3 color = texelFetch(source, texel, 0).rgb;
    out_color = vec4(mix(color, scattered * settings.color, hidden), 1.0);
}
