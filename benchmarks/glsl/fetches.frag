#version 450
layout(set = 0, binding = 0) uniform sampler2D source;
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 result;

void main() {
    vec2 texel = uv / gl_FragCoord.xy;
    vec4 sum = vec4(0.0);
    for (int i = 0; i < FETCHES; ++i) {
        sum += textureLod(source, uv + texel * vec2(i % 8 - 4, i / 8 - 4), 0.0);
    }
    result = sum / float(FETCHES);
}
