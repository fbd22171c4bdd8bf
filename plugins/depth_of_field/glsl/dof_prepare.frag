#version 450
#include "lens.glsl"
#include "blur.glsl"

layout(set = 0, binding = 3) uniform sampler2D source;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_half;
layout(location = 1) out vec4 out_behind;
layout(location = 2) out vec4 out_before;
layout(location = 3) out vec4 out_spreads;

// `out_half` has the radius of the nearest of the four texels. The sources have each texel on its own side of the focus.
// In `out_spreads`, radii are shares of the largest: means times their weights, and the largest in front as it is.
void main() {
    vec2 extent = vec2(textureSize(source, 0));
    out_half = vec4(vec3(0.0), settings.largest);
    out_behind = out_before = out_spreads = vec4(0.0);
    for (int i = 0; i < 4; ++i) {
        vec2 at = uv + (vec2(i % 2, i / 2) - 0.5) / extent;
        vec3 color = min(textureLod(source, at, 0.0).rgb, 64000.0);  // clamp to the range of 16-bit floats
        float radius = circle_of_confusion(textureLod(depth, at, 0.0).r);
        out_half = vec4(out_half.rgb + 0.25 * color, min(out_half.a, radius));
        float texels = 0.5 * radius * extent.y, part = abs(radius) / settings.largest;
        vec4 behind = 0.25 * vec4(color, 1.0) * share_of(texels), before = 0.25 * vec4(color, 1.0) * share_of(-texels);
        out_behind += behind;
        out_before += before;
        out_spreads.rg += part * vec2(weight_of_radius(behind), weight_of_radius(before));
        out_spreads.b = max(out_spreads.b, before.a > 0.0 ? part : 0.0);
    }
}
