#version 450

layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform writeonly image2D thing;
layout(push_constant) uniform Push { float zero; float numerator; };

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    bool one = texel == ivec2(3, 5);
    imageStore(thing, texel, one ? vec4(0.0, numerator / zero, 0.0, 1.0) : vec4(0.25));
}
