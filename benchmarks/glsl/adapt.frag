#version 450
layout(set = 0, binding = 0) uniform sampler2D shaded;
layout(std430, set = 0, binding = 1) readonly buffer State { float state_values[]; };
layout(location = 0) out vec4 result;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    result = texelFetch(shaded, at, 0) + vec4(state_values[(at.x + at.y * 64) % state_values.length()], 0.0, 0.0, 1.0);
}
