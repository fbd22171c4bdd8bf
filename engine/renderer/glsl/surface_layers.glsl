// The layers of the surface at a fragment, from the material's factors and images.

struct MaterialLayers {
    vec4 specular;  // reflectance ahead; strength at all angles
    vec4 coat;      // x: strength, y: roughness, z: 1 for an unlit surface, w: index of refraction
    vec4 sheen;     // rgb, roughness
    vec4 volume;    // absorption for each metre; thickness in metres
    uint images[8]; // numbers of images in the order below, where there is a table of them; three are not in use
};

layout(std430, set = 0, binding = 19) readonly buffer scene_layers {
    MaterialLayers material_layers[];
};

#if HAS_SCENE_IMAGES
#define coat_image scene_images[nonuniformEXT(own.images[0])]
#define coat_normal_image scene_images[nonuniformEXT(own.images[1])]
#define specular_image scene_images[nonuniformEXT(own.images[2])]
#define sheen_image scene_images[nonuniformEXT(own.images[3])]
#define transmission_image scene_images[nonuniformEXT(own.images[4])]
#else
layout(set = 1, binding = 5) uniform sampler2D coat_image;
layout(set = 1, binding = 6) uniform sampler2D coat_normal_image;
layout(set = 1, binding = 7) uniform sampler2D specular_image;
layout(set = 1, binding = 8) uniform sampler2D sheen_image;
layout(set = 1, binding = 9) uniform sampler2D transmission_image;
#endif

bool is_unlit(uint index) {
    return material_layers[index].coat.z != 0.0;
}

// What multiplies the transmission, and the thickness of the body below.
vec2 transmission_of(uint index, vec2 uv) {
    Material material = materials[index];
    MaterialLayers own = material_layers[index];
    return texture(transmission_image, UV(9), MIP_BIAS).rg;
}

Layers layers_of(uint index, vec3 normal, vec4 tangent, vec2 uv, bool front_facing) {
    Material material = materials[index];
    MaterialLayers own = material_layers[index];
    Layers result;
    vec4 specular = texture(specular_image, UV(7), MIP_BIAS);
    float strength = own.specular.a * specular.a;
    result.f0 = min(own.specular.rgb * specular.rgb, 1.0) * strength;
    result.f90 = vec3(strength);
    vec2 coat = texture(coat_image, UV(5), MIP_BIAS).rg;
    result.coat = own.coat.x * coat.r;
    result.coat_roughness = clamp(own.coat.y * coat.g, 0.045, 1.0);
    vec4 sheen = texture(sheen_image, UV(8), MIP_BIAS);
    result.sheen = own.sheen.rgb * sheen.rgb;
    result.sheen_roughness = own.sheen.a * sheen.a;
    result.coat_normal = bent_normal(normal, tangent, texture(coat_normal_image, UV(6), MIP_BIAS).xyz, front_facing);
    return result;
}
