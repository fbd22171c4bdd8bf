#version 450

// One triangle that covers the screen; draw 3 vertices, no vertex buffer.
// uv is (0, 0) in the top left corner of the picture. Clip-space Y points up. The depth is 0, the farthest.

layout(location = 0) out vec2 uv;

void main() {
    uv = vec2(gl_VertexIndex & 2, (gl_VertexIndex << 1) & 2);  // (0, 0), (0, 2), (2, 0): counter-clockwise
    gl_Position = vec4(uv.x * 2.0 - 1.0, 1.0 - uv.y * 2.0, 0.0, 1.0);
}
