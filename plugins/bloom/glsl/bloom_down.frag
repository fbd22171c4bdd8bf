#version 450
#include "color.glsl"

layout(set = 0, binding = 0) uniform sampler2D source;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_color;

// Clamped to the range of 16-bit floats, so that one infinite or NaN texel does not spread over the picture.
vec3 tap(vec2 texel, float x, float y) {
    return min(max(texture(source, uv + texel * vec2(x, y)).rgb, 0.0), 64000.0);
}

// Mean of four taps.
vec3 box(vec3 a, vec3 b, vec3 c, vec3 d) {
    return (a + b + c + d) * 0.25;
}

// Mean weighted by 1 / (1 + luminance), which suppresses fireflies.
vec3 karis_average(vec3 a, vec3 b, vec3 c, vec3 d) {
    vec4 weight = 1.0 / (1.0 + vec4(luminance(a), luminance(b), luminance(c), luminance(d)));
    return (a * weight.x + b * weight.y + c * weight.z + d * weight.w) / dot(weight, vec4(1.0));
}

void main() {
    vec2 texel = 1.0 / vec2(textureSize(source, 0));
    vec3 a = tap(texel, -2.0, -2.0), b = tap(texel, 0.0, -2.0), c = tap(texel, 2.0, -2.0);
    vec3 d = tap(texel, -2.0, 0.0), e = tap(texel, 0.0, 0.0), f = tap(texel, 2.0, 0.0);
    vec3 g = tap(texel, -2.0, 2.0), h = tap(texel, 0.0, 2.0), i = tap(texel, 2.0, 2.0);
    vec3 j = tap(texel, -1.0, -1.0), k = tap(texel, 1.0, -1.0);
    vec3 l = tap(texel, -1.0, 1.0), m = tap(texel, 1.0, 1.0);
    vec3 color = 0.5 * box(j, k, l, m);
    color += 0.125 * (box(a, b, d, e) + box(b, c, e, f) + box(d, e, g, h) + box(e, f, h, i));
    float share = 1.0;  // of the light that the weights pass
#if KARIS_AVERAGE
    float all = luminance(color);
    color = 0.5 * karis_average(j, k, l, m);
    color += 0.125 * (karis_average(a, b, d, e) + karis_average(b, c, e, f));
    color += 0.125 * (karis_average(d, e, g, h) + karis_average(e, f, h, i));
    share = all > 0.0 ? clamp(luminance(color) / all, 0.0, 1.0) : 1.0;
#endif
    out_color = vec4(color, share);
}
