// Cascades from the node "fit". Each is an orthographic box around a sphere, oriented along the sunlight.

const int CASCADES = 4;

layout(set = 0, binding = 10) uniform CascadesBlock {
    mat4 matrices[CASCADES];
    float texels[CASCADES];    // metres
    float lengths[CASCADES];   // metres from depth 1 to depth 0
    int textures[CASCADES];    // cascades of one update rate are layers of one texture
    int layers[CASCADES];
    float end;                 // metres along the view axis
    vec3 sun;                  // direction in which the light travels
    int casts;
} cascades;
