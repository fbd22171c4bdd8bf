#version 450

layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform sampler2D picture;
layout(set = 0, binding = 1, rgba16f) uniform writeonly image2D thing;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    imageStore(thing, texel, texelFetch(picture, texel, 0));
}
