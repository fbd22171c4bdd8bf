// The probe that is baked.

layout(set = 0, binding = 30) uniform ProbeBakeBlock {
    mat4 sun_matrix;
    vec3 position;
    float sun_texel;  // in metres; 0 if the sun casts no shadow
    int number;       // place of the light in the buffer
} probe_bake;
