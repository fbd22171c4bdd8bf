#version 450

layout(push_constant) uniform Push { vec4 tint; float strength; };
layout(location = 0) out vec4 result;

void main() { result = tint * strength; }
