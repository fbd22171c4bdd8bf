#version 450

layout(location = 0) in vec3 normal;
layout(location = 1) in vec3 tint;
layout(location = 2) in vec4 clip;
layout(location = 0) out vec4 albedo;
layout(location = 1) out vec4 direction;
layout(location = 2) out vec4 material;
layout(location = 3) out vec2 motion;

void main() {
    vec2 screen = clip.xy / clip.w;
    albedo = vec4(tint, 1.0);
    direction = vec4(normalize(normal), 0.0);
    material = vec4(0.2 + 0.6 * tint.x, tint.y, 0.0, 0.0);
    motion = screen * 0.004;  // as if the camera drew back
}
