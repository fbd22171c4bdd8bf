// The cascades as the node "fit" places them: each is a box around a sphere, seen from the sun.

const int CASCADES = 4;

layout(set = 0, binding = 10) uniform CascadesBlock {
    mat4 matrices[CASCADES];
    float texels[CASCADES];    // metres
    float lengths[CASCADES];   // metres from depth 1 to depth 0
    int textures[CASCADES];    // those of one rate are layers of one texture
    int layers[CASCADES];
    float end;                 // metres along the view axis
    vec3 sun;                  // the way the light travels
    int casts;
} cascades;
