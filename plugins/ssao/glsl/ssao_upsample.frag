#version 450
#include "camera.glsl"
#include "small_texels.glsl"

layout(set = 0, binding = 1) uniform sampler2D smoothed;
layout(set = 0, binding = 2) uniform sampler2D small_depth;
layout(set = 0, binding = 3) uniform sampler2D depth;
#if MULTI_BOUNCE && HAS_ALBEDO
layout(set = 0, binding = 4) uniform sampler2D albedo;
#endif
layout(set = 0, binding = 5) uniform Settings {
    float intensity;
} settings;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_occlusion;

// Visibility including interreflections between surfaces of an albedo (fit by Jimenez 2016).
vec3 with_bounces(float visibility, vec3 color) {
    vec3 a = 2.0404 * color - 0.3324;
    vec3 b = -4.7951 * color + 0.6417;
    vec3 c = 2.7552 * color + 0.6903;
    return max(vec3(visibility), ((visibility * a + b) * visibility + c) * visibility);
}

// Bilateral filter over the four surrounding search texels, weighted by depth.
float visibility_here(ivec2 texel, float d) {
    ivec2 last = textureSize(small_depth, 0) - 1;
    vec2 place = (vec2(texel) - float(STEP / 2)) / float(STEP);
    ivec2 first = ivec2(floor(place));
    vec2 f = place - vec2(first);
    float unit = depth_unit(d), sum = 0.0, weights = 0.0;
    for (int i = 0; i < 4; ++i) {
        ivec2 corner = ivec2(i % 2, i / 2);
        ivec2 at = clamp(first + corner, ivec2(0), last);
        vec2 bilinear = mix(1.0 - f, f, vec2(corner));
        float off = abs(texelFetch(small_depth, at, 0).r - d) / unit;
        float weight = (bilinear.x * bilinear.y + 1e-3) / (off + 2e-3);
        sum += weight * texelFetch(smoothed, at, 0).r;
        weights += weight;
    }
    return sum / weights;
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    float d = texelFetch(depth, texel, 0).r;
    if (d <= 0.0) {
        out_occlusion = vec4(1.0);
        return;
    }
    float visibility = pow(visibility_here(texel, d), settings.intensity);
#if MULTI_BOUNCE && HAS_ALBEDO
    out_occlusion = vec4(with_bounces(visibility, texelFetch(albedo, texel, 0).rgb), visibility);
#else
    out_occlusion = vec4(visibility);
#endif
}
