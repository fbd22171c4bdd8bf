#version 450

// One direction of a blur that stops at edges of the depth.
layout(set = 0, binding = 0) uniform sampler2D source;
layout(set = 0, binding = 1) uniform sampler2D depth;
layout(location = 0) in vec2 uv;
layout(location = 0) out float result;

void main() {
    vec2 texel = vec2(ALONG) / vec2(textureSize(source, 0));
    float here = textureLod(depth, uv, 0.0).r;
    float sum = 0.0;
    float weights = 0.0;
    for (int i = -4; i <= 4; ++i) {
        vec2 at = uv + texel * float(i);
        float there = textureLod(depth, at, 0.0).r;
        float weight = exp(-float(i * i) * 0.1 - abs(there - here) / (here + 1e-4) * 20.0);
        sum += textureLod(source, at, 0.0).r * weight;
        weights += weight;
    }
    result = sum / weights;
}
