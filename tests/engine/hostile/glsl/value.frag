#version 450

layout(push_constant) uniform Push { float zero; float numerator; };
layout(location = 0) out vec4 result;

void main() { result = vec4(0.25, 0.5, 0.75, 1.0) + vec4(numerator / zero, 0.0, 0.0, 0.0); }
