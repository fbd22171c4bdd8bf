// What a surface function sees, and the call of it. Shaders that draw surfaces end with `#include OWN_SURFACE`, which is the
// function of a game or plugin in their variants for it (surface_variants.py).

// The fragment whose surface a function may change.
struct SurfacePoint {
    vec3 position;      // world space, in metres
    vec3 normal;        // of the mesh: world space, unit length, on the side that is seen
    vec3 view;          // unit vector towards the camera or probe; the normal in shadow maps, which have neither
    vec2 uv;
    vec2 second_uv;     // equal to uv where a mesh or pass has no second texture coordinates
    vec4 color;         // of the vertices; white where a mesh or pass has none
    float time;         // seconds since the game began
    float mip_bias;     // for texture(image, uv, mip_bias)
    bool front_facing;
};

struct SurfaceRow {
    vec4 values[8];
    uvec4 images;
};

layout(std430, set = 0, binding = 39) readonly buffer scene_surfaces {
    vec4 surface_time;  // x: seconds since the game began
    SurfaceRow surface_rows[];
};

#if HAS_SCENE_IMAGES
#define own_image_0 scene_images[nonuniformEXT(surface_rows[own_row].images.x)]
#define own_image_1 scene_images[nonuniformEXT(surface_rows[own_row].images.y)]
#define own_image_2 scene_images[nonuniformEXT(surface_rows[own_row].images.z)]
#define own_image_3 scene_images[nonuniformEXT(surface_rows[own_row].images.w)]
#else
layout(set = 1, binding = 10) uniform sampler2D own_image_0;
layout(set = 1, binding = 11) uniform sampler2D own_image_1;
layout(set = 1, binding = 12) uniform sampler2D own_image_2;
layout(set = 1, binding = 13) uniform sampler2D own_image_3;
#endif

// The row of the fragment's material.
uint own_row = 0u;

void read_parameters();

void own_surface(inout Surface surface, SurfacePoint at);

// Have the surface function change a surface.
void change_surface(inout Surface surface, uint index, vec3 world, vec3 view, vec3 normal, vec2 uv, bool front_facing) {
    own_row = index;
    read_parameters();
    SurfacePoint at;
    at.position = world;
    at.normal = normalize(normal) * (front_facing ? 1.0 : -1.0);
    at.view = view;
    at.uv = uv;
#ifdef ATTRIBUTES
    at.second_uv = second_uv;
    at.color = vertex_color;
#else
    at.second_uv = uv;
    at.color = vec4(1.0);
#endif
    at.time = surface_time.x;
    at.mip_bias = MIP_BIAS;
    at.front_facing = front_facing;
    own_surface(surface, at);
    surface.normal = normalize(surface.normal);
    surface.metallic = clamp(surface.metallic, 0.0, 1.0);
    surface.roughness = clamp(surface.roughness, SMOOTHEST, 1.0);
}
