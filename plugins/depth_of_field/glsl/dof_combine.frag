#version 450
#include "lens.glsl"
#include "blur.glsl"

layout(set = 0, binding = 3) uniform sampler2D source;
layout(set = 0, binding = 4) uniform sampler2D far;
layout(set = 0, binding = 5) uniform sampler2D near;
layout(set = 0, binding = 6) uniform sampler2D reach;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_color;

// Mean over a square of 4 x 4 texels around `uv`, in which each share of the samples counts the same; none if `filled` is
// 0. Along an axis it covers five texels, the first and last of them in part. The bilinear samples are the middle one, and
// one between each two others.
vec4 mean_of_shares(sampler2D layer, float filled) {
    vec2 extent = vec2(textureSize(layer, 0)), middle = floor(uv * extent) + 0.5, right = uv * extent - middle;
    vec2 weights[3] = {1.5 - right, vec2(1.0), 1.5 + right};
    vec2 places[3] = {1.0 / weights[0] - 2.0, vec2(0.0), 2.0 - 1.0 / weights[2]};
    vec4 sum = vec4(0.0);
    for (int i = 0; i < 9; ++i) {
        ivec2 number = ivec2(i % 3, i / 3);
        vec2 weight = vec2(weights[number.x].x, weights[number.y].y), place = vec2(places[number.x].x, places[number.y].y);
        sum += weight.x * weight.y * textureLod(layer, mix(uv, (middle + place) / extent, filled), 0.0);
    }
    return sum / 16.0;
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    vec3 color = texelFetch(source, texel, 0).rgb;
    float radius = circle_of_confusion(textureLod(depth, uv, 0.0).r) * float(textureSize(source, 0).y);
    vec2 reached = textureLod(reach, uv, 0.0).rg;
    vec4 behind = mean_of_shares(far, filled(reached.x)), before = mean_of_shares(near, filled(reached.y));
    // Share of the layers. Matches share_of() in blur.glsl; a texel of the layers is two texels here.
    float blurred = smoothstep(0.7, 3.0, abs(radius)), known = step(0.01, behind.a);
    color = mix(color, behind.rgb / max(behind.a, 0.01), blurred * known);
    before /= mix(1.0, max(before.a, 0.01), blurred * (1.0 - known));  // nothing is known behind it: no sharp texel is
    out_color = vec4(color * (1.0 - before.a) + before.rgb, 1.0);
}
