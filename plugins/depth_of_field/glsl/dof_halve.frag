#version 450

layout(set = 0, binding = 0) uniform sampler2D larger_behind;
layout(set = 0, binding = 1) uniform sampler2D larger_before;
layout(set = 0, binding = 2) uniform sampler2D larger_spreads;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_behind;
layout(location = 1) out vec4 out_before;
layout(location = 2) out vec4 out_spreads;

// The largest of all texels that this one covers: 3 x 3 if the larger mip has an odd size.
float largest() {
    ivec2 first = ivec2(gl_FragCoord.xy) * 2, last = first + 1 + (textureSize(larger_spreads, 0) & 1);
    float most = 0.0;
    for (int y = first.y; y <= last.y; ++y) {
        for (int x = first.x; x <= last.x; ++x) {
            most = max(most, texelFetch(larger_spreads, ivec2(x, y), 0).b);
        }
    }
    return most;
}

void main() {
    vec2 texel = uv / gl_FragCoord.xy;
    out_behind = out_before = out_spreads = vec4(0.0);
    for (int i = 0; i < 4; ++i) {
        vec2 at = uv + 0.5 * (vec2(i % 2, i / 2) - 0.5) * texel;  // a quarter of a texel away
        out_behind += 0.25 * textureLod(larger_behind, at, 0.0);
        out_before += 0.25 * textureLod(larger_before, at, 0.0);
        out_spreads += 0.25 * textureLod(larger_spreads, at, 0.0);
    }
    out_spreads.b = largest();
}
