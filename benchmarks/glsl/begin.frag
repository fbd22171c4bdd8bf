#version 450
layout(location = 0) out vec4 result;

void main() {
    result = fract(gl_FragCoord.xyyx * 0.125);
}
