// The scene's lights, filled by the node `scene`. Scenes of many local lights have these in a buffer, by clusters.

const int FEW_LIGHTS = 16;
const int MORE_SUNS = 3;
const int SKY_ROUGHNESSES = 8;
const int SKY_HEIGHTS = 33;

layout(set = 0, binding = 3) uniform LightsBlock {
    vec3 sun_direction;  // direction in which the light travels
    vec3 sun_radiance;
    vec3 zenith;
    vec3 horizon;
    vec3 ground;
    int count;
    vec4 position_radius[FEW_LIGHTS];
    vec4 radiance[FEW_LIGHTS];
    vec4 direction_cosine[FEW_LIGHTS];
    vec4 inner_cosine[FEW_LIGHTS];
    float environment;                  // intensity of the environment
    int suns;                           // besides the first
    int total;                          // local lights of the scene, also those that are not in this block
    vec4 sun_directions[MORE_SUNS];
    vec4 sun_radiances[MORE_SUNS];
    vec4 sky[SKY_ROUGHNESSES * SKY_HEIGHTS];  // the sky filtered for rough surfaces, see sky_table.py
} lights;

#if defined(HAS_LIGHT_CLUSTERS) && HAS_LIGHT_CLUSTERS
#define CLUSTERED 1
#else
#define CLUSTERED 0
#endif

#if defined(HAS_AREA_LIGHT_TABLE) && HAS_AREA_LIGHT_TABLE
#define AREA_LIGHTS 1
#include "area_light.glsl"
#else
#define AREA_LIGHTS 0
#endif

// Shaders without clusters may have all lights of such scenes.
#if defined(HAS_EVERY_LIGHT) && HAS_EVERY_LIGHT
#define UNCLUSTERED 1
#else
#define UNCLUSTERED 0
#endif

#include "local_light.glsl"
#if CLUSTERED
layout(std430, set = 0, binding = 16) readonly buffer scene_lights {
    LocalLight local_lights[];
};
#elif UNCLUSTERED
layout(std430, set = 0, binding = 16) readonly buffer every_light {
    LocalLight local_lights[];
};
#endif

#if CLUSTERED
#include "light_clusters.glsl"

layout(std430, set = 0, binding = 17) readonly buffer light_clusters {
    LightGrid light_grid;
    uint light_masks[];
};

// The cluster of a position in the world.
int cluster_at(vec3 position) {
    return cluster_of(light_grid, position);
}

// Words that a cluster has.
int cluster_words() {
    return light_grid.words;
}

// The lights 32 * word to 32 * word + 31 that may reach a cluster, a bit each.
uint cluster_lights(int cluster, int word) {
    return light_masks[cluster * light_grid.words + word];
}
#endif
