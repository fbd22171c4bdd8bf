#version 450

layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0, rgba16f) uniform image2D thing;

shared ivec2 size;

void main() { size = imageSize(thing); }
