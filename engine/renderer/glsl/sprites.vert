#version 450
#include "camera.glsl"
#include "sprite_rows.glsl"

layout(push_constant) uniform Push {
    int first;
    int glyphs;  // 1: of the glyph sheet
    int facing;  // 1: turned to the camera, 0: in the plane of x and y
} push;

void main() {
    glyphs = float(push.glyphs);
    SpriteRow sprite = sprites[push.first + gl_InstanceIndex];
    vec2 at = sprite_corner(sprite, gl_VertexIndex);
    vec3 right = vec3(camera.view[0][0], camera.view[1][0], camera.view[2][0]);
    vec3 up = vec3(camera.view[0][1], camera.view[1][1], camera.view[2][1]);
    right = mix(vec3(1.0, 0.0, 0.0), right, float(push.facing));
    up = mix(vec3(0.0, 1.0, 0.0), up, float(push.facing));
    gl_Position = camera.view_projection * vec4(sprite.place.xyz + right * at.x + up * at.y, 1.0);
}
