#version 450
#include "camera.glsl"

layout(set = 0, binding = 1) uniform sampler2D noisy;
layout(set = 0, binding = 2) uniform sampler2D small_depth;

layout(location = 0) in vec2 uv;
layout(location = 0) out float out_visibility;

// Largest deviation of a texel from the surface's plane, as a share of its distance.
const float TOLERANCE = 0.005;

ivec2 last;

float depth_at(ivec2 texel) {
    return texelFetch(small_depth, clamp(texel, ivec2(0), last), 0).r;
}

// The smaller of the two one-sided differences, which stays on the surface next to an edge.
float slope(float before, float here, float after) {
    return abs(after - here) < abs(here - before) ? after - here : here - before;
}

// A 5 x 5 kernel with half weight at the border weights all directions of the 4 x 4 pattern equally. Reversed depth is
// linear in screen space on a plane, so the plane through this texel predicts the depth of its neighbours.
void main() {
    last = textureSize(small_depth, 0) - 1;
    ivec2 texel = ivec2(gl_FragCoord.xy);
    float d = depth_at(texel);
    if (d <= 0.0) {
        out_visibility = 1.0;
        return;
    }
    vec2 plane = vec2(slope(depth_at(texel - ivec2(1, 0)), d, depth_at(texel + ivec2(1, 0))),
                      slope(depth_at(texel - ivec2(0, 1)), d, depth_at(texel + ivec2(0, 1))));
    float tolerance = TOLERANCE * depth_unit(d), sum = 0.0, weights = 0.0;
    for (int y = -2; y <= 2; ++y) {
        for (int x = -2; x <= 2; ++x) {
            ivec2 at = texel + ivec2(x, y);
            if (any(lessThan(at, ivec2(0))) || any(greaterThan(at, last))) {
                continue;
            }
            float off = abs(depth_at(at) - d - dot(plane, vec2(x, y)));
            float weight = clamp(1.0 - off / tolerance, 0.0, 1.0);
            weight *= (abs(x) == 2 ? 0.5 : 1.0) * (abs(y) == 2 ? 0.5 : 1.0);
            sum += weight * texelFetch(noisy, at, 0).r;
            weights += weight;
        }
    }
    out_visibility = clamp(sum / weights, 0.0, 1.0);  // the texel itself has a weight of 1
}
