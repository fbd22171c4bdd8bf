#version 450
#include "mirror.glsl"
layout(set = 0, binding = 37) uniform sampler2D picture;
layout(location = 0) in vec3 world;
layout(location = 0) out vec4 light;

void main() {
    vec4 clip = glass.taken * vec4(world, 1.0);
    vec2 at = vec2(0.5 + 0.5 * clip.x / clip.w, 0.5 - 0.5 * clip.y / clip.w);
    light = vec4(textureLod(picture, at, 0.0).rgb * glass.tint.rgb, 1.0);
}
