// The mirror that is shown, and how its picture was taken.
layout(std140, set = 0, binding = 36) uniform Glass {
    mat4 taken;   // world to clip space of the picture
    vec4 middle;
    vec4 right;   // half of its width
    vec4 up;      // half of its height
    vec4 tint;    // what silver and glass reflect
} glass;
