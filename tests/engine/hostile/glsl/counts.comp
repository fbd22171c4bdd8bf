#version 450

layout(local_size_x = 1) in;
layout(set = 0, binding = 0) writeonly buffer Counts { uint first; uint last; } thing;

void main() {
    thing.first = 1;
    thing.last = 2;
}
