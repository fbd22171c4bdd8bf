#version 450
#include "color.glsl"
#include "gradient_noise.glsl"
#include "per_invocation.glsl"

layout(set = 0, binding = 0) uniform sampler2D source;
layout(set = 0, binding = 1) uniform Settings {
    int operation;
    float scale;
    bool dither;
} settings;
#if AUTO_EXPOSURE
layout(std430, set = 0, binding = 2) readonly buffer exposure {
    float stops;
    float adapted_scale;  // 0 if there was no previous frame
};
#endif

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_color;

// AgX by Troy Sobotka, in the polynomial approximation of Benjamin Wrensch (2023).
vec3 agx(vec3 color) {
    const mat3 inset = mat3(0.842479062253094, 0.0423282422610123, 0.0423756549057051,
                            0.0784335999999992, 0.878468636469772, 0.0784336,
                            0.0792237451477643, 0.0791661274605434, 0.879142973793104);
    const mat3 outset = mat3(1.19687900512017, -0.0528968517574562, -0.0529716355144438,
                             -0.0980208811401368, 1.15190312990417, -0.0980434501171241,
                             -0.0990297440797205, -0.0989611768448433, 1.15107367264116);
    const float low = -12.47393, high = 4.026069;
    vec3 x = clamp((log2(max(inset * color, 1e-10)) - low) / (high - low), 0.0, 1.0);
    vec3 x2 = x * x, x4 = x2 * x2;
    vec3 shaped = 15.5 * x4 * x2 - 40.14 * x4 * x + 31.96 * x4 - 6.868 * x2 * x + 0.4298 * x2 + 0.1191 * x - 0.00232;
    // The "punchy" look: more contrast and saturation than the base curve.
    shaped = pow(max(shaped, 0.0), vec3(1.35));
    float grey = luminance(shaped);
    shaped = max(grey + (shaped - grey) * 1.4, 0.0);
    return srgb_to_linear(clamp(outset * shaped, 0.0, 1.0));
}

// ACES, the fit of Stephen Hill (2015).
vec3 aces(vec3 color) {
    const mat3 to_aces = mat3(0.59719, 0.07600, 0.02840, 0.35458, 0.90834, 0.13383, 0.04823, 0.01566, 0.83777);
    const mat3 from_aces = mat3(1.60475, -0.10208, -0.00327, -0.53108, 1.10813, -0.07276, -0.07367, -0.00605, 1.07602);
    vec3 v = to_aces * color;
    v = (v * (v + 0.0245786) - 0.000090537) / (v * (0.983729 * v + 0.4329510) + 0.238081);
    return clamp(from_aces * v, 0.0, 1.0);
}

// Khronos PBR Neutral (2024).
vec3 neutral(vec3 color) {
    const float start = 0.8 - 0.04, desaturation = 0.15;
    float low = min(color.r, min(color.g, color.b));
    color -= low < 0.08 ? low - 6.25 * low * low : 0.04;
    float peak = max(color.r, max(color.g, color.b));
    if (peak < start) {
        return color;
    }
    float room = 1.0 - start;
    float mapped = 1.0 - room * room / (peak + room - start);
    color *= mapped / peak;
    return mix(color, vec3(mapped), 1.0 - 1.0 / (desaturation * (peak - mapped) + 1.0));
}

// Noise from -1 to 1 with a triangular distribution, which removes banding without changing the mean brightness.
float triangular_noise(ivec2 texel) {
    float even = 2.0 * gradient_noise(texel) - 1.0;
    return sign(even) * (1.0 - sqrt(1.0 - abs(even)));
}

// Adds noise of one 8-bit step, less near black and white, which stay unchanged.
vec3 dithered(vec3 encoded) {
    vec3 amplitude = clamp(min(encoded, 1.0 - encoded), 0.0, 1.0 / 255.0);
    return encoded + amplitude * triangular_noise(ivec2(gl_FragCoord.xy));
}

void main() {
    vec3 color = max(texture(source, uv).rgb, 0.0) * settings.scale;
#if AUTO_EXPOSURE
    color *= adapted_scale == 0.0 ? 1.0 : adapted_scale;
#endif
    int operation = per_invocation(settings.operation, int(gl_FragCoord.x));
    if (operation == 0) {
        color = agx(color);
    } else if (operation == 1) {
        color = aces(color);
    } else {
        color = neutral(color);
    }
    if (per_invocation(settings.dither, int(gl_FragCoord.x))) {
        color = srgb_to_linear(dithered(linear_to_srgb(color)));
    }
    out_color = vec4(color, 1.0);
}
