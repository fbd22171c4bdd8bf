// The cascades as the node "fit" places them.

layout(set = 0, binding = 10) uniform CascadesBlock {
    mat4 matrices[4];
    float ends[4];    // metres along the view axis
    float texels[4];  // metres
} cascades;
