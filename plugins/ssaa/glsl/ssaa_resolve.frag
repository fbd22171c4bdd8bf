#version 450

layout(set = 0, binding = 0) uniform sampler2D source[SAMPLES];

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_color;

void main() {
    vec3 sum = vec3(0.0);
    for (int i = 0; i < SAMPLES; ++i) {
        // Without a tone mapper, a sample may exceed the display's range.
        sum += clamp(texelFetch(source[i], ivec2(gl_FragCoord.xy), 0).rgb, 0.0, 1.0);
    }
    out_color = vec4(sum / float(SAMPLES), 1.0);
}
