// Rows of decals, as in table.py, and what of them a fragment needs.

struct Decal {
    vec4 to_world[3];  // rows of the matrix from a cube of side 1 around the origin to the box
    vec4 to_box[3];    // its inverse
    vec4 tint;         // linear, and opacity
    vec2 fade;         // cosines of the angles from which it fades, and at which it is gone
    float roughness;
    float metallic;
    uint image;         // layer, or NO_IMAGE
    uint normal_image;
    uint changes;       // a bit for each PROPERTY that it changes
    uint mirrored;      // 1 if the matrix mirrors
};

// Values of PROPERTY.
#define PAINT 0
#define BEND 1
#define ROUGHEN 2
#define COAT 3

const uint NO_IMAGE = 0xFFFFFFFFu;
