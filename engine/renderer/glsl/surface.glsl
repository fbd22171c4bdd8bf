// The surface at a fragment, from the material's factors and images (glTF 2.0 metallic-roughness).

#if HAS_SCENE_IMAGES
#extension GL_EXT_nonuniform_qualifier : require
#endif

struct Material {
    vec4 base_color;
    vec4 emissive_metallic;  // rgb, metallic
    vec4 parameters;         // x: roughness, y: cutoff of alpha, z: 1 if two-sided, w: transmission
    uint images[5];          // numbers of images in the order below, where there is a table of them
    uint second_uvs;         // bits of slots whose images have the second texture coordinates
    uint layered;            // 1 if it has layers, too, see surface_layers.glsl
    uint hashed;             // 1 if the holes of its mask that are smaller than a texel are hashed
};

layout(std430, set = 0, binding = 2) readonly buffer scene_materials {
    Material materials[];
};

#if HAS_SCENE_IMAGES
layout(set = 1, binding = 0) uniform sampler2D scene_images[];
#define base_color_image scene_images[nonuniformEXT(material.images[0])]
#define normal_image scene_images[nonuniformEXT(material.images[1])]
#define metallic_roughness_image scene_images[nonuniformEXT(material.images[2])]
#define emissive_image scene_images[nonuniformEXT(material.images[3])]
#define occlusion_image scene_images[nonuniformEXT(material.images[4])]
#else
layout(set = 1, binding = 0) uniform sampler2D base_color_image;
layout(set = 1, binding = 1) uniform sampler2D normal_image;
layout(set = 1, binding = 2) uniform sampler2D metallic_roughness_image;
layout(set = 1, binding = 3) uniform sampler2D emissive_image;
layout(set = 1, binding = 4) uniform sampler2D occlusion_image;
#endif

// The texture coordinates of an image by the number of its slot.
#ifdef ATTRIBUTES
layout(location = 5) in vec4 vertex_color;
layout(location = 6) in vec2 second_uv;
#define UV(slot) ((material.second_uvs >> slot & 1u) != 0u ? second_uv : uv)
#else
#define UV(slot) uv
#endif

// Added to the mip level of images; negative where the picture is upscaled. Shaders of views define it as the camera's.
#ifndef MIP_BIAS
#define MIP_BIAS 0.0
#endif

// See hashed_threshold; shaders of views define it by the camera's jitter.
#ifndef ALPHA_TURN
#define ALPHA_TURN 0.0
#endif
#include "hashed_alpha.glsl"

// Shaders of masked surfaces define MASKED, and have the number of the entity.
#ifdef MASKED
layout(location = 8) flat in uint hash_seed;
#define HASH_SEED hash_seed
#else
#define HASH_SEED 0u
#endif

const float SMOOTHEST = 0.045;  // least roughness

struct Surface {
    vec3 base_color;
    float alpha;
    vec3 normal;  // world space, unit length
    vec3 emissive;
    float metallic;
    float roughness;
    float occlusion;
};

// Part of the alpha by which it grows with each mip level: the mean of a mask over a large texel is below the cutoff
// where thin parts cover less of it than the cutoff, so distant leaves would vanish (Golus 2017).
const float MASK_GAIN = 0.25;

// Whether a masked surface with that alpha has a hole.
bool is_hole(Material material, vec2 uv, float alpha) {
    float level = max(textureQueryLod(base_color_image, uv).x + MIP_BIAS, 0.0);
    float cutoff = material.parameters.y;
    vec2 right = dFdx(uv), down = dFdy(uv);
    if (material.hashed == 0u) {
        return alpha * (1.0 + MASK_GAIN * level) < cutoff;
    }
    // Texels of the image in one of the picture along the longer side, which anisotropic filtering finds in a finer level.
    vec2 size = vec2(textureSize(base_color_image, 0));
    float footprint = max(length(right * size), length(down * size));
    float share = clamp(1.0 + log2(max(footprint, 0.5)) + MIP_BIAS, 0.0, 1.0);  // sharp where two texels or more show one
    return alpha < mix(cutoff, hashed_threshold(uv, max(abs(right), abs(down)), HASH_SEED, ALPHA_TURN), share);
}

// Whether a masked surface has a hole here.
bool is_hole(uint index, vec2 uv) {
    Material material = materials[index];
    return is_hole(material, uv, material.base_color.a * texture(base_color_image, uv, MIP_BIAS).a);
}

// The normal by a texel of a normal map.
vec3 bent_normal(vec3 normal, vec4 tangent, vec3 texel, bool front_facing) {
    vec3 n = normalize(normal) * (front_facing ? 1.0 : -1.0);
    vec3 t = tangent.xyz - n * dot(n, tangent.xyz);
    vec3 detail = texel * 2.0 - 1.0;
    if (dot(t, t) > 1e-12) {
        t = normalize(t);
        n = normalize(t * detail.x + cross(n, t) * tangent.w * detail.y + n * detail.z);
    }
    return n;
}

Surface surface_of(uint index, vec3 normal, vec4 tangent, vec2 uv, bool front_facing) {
    Material material = materials[index];
    Surface surface;
    vec4 base_color = material.base_color * texture(base_color_image, UV(0), MIP_BIAS);
#ifdef ATTRIBUTES
    base_color *= vertex_color;
#endif
    surface.base_color = base_color.rgb;
    surface.alpha = base_color.a;
    vec3 metallic_roughness = texture(metallic_roughness_image, UV(2), MIP_BIAS).rgb;
    surface.metallic = material.emissive_metallic.a * metallic_roughness.b;
    surface.roughness = clamp(material.parameters.x * metallic_roughness.g, SMOOTHEST, 1.0);
    surface.emissive = material.emissive_metallic.rgb * texture(emissive_image, UV(3), MIP_BIAS).rgb;
    surface.occlusion = texture(occlusion_image, UV(4), MIP_BIAS).r;

    surface.normal = bent_normal(normal, tangent, texture(normal_image, UV(1), MIP_BIAS).xyz, front_facing);
    return surface;
}

#ifdef OWN_SURFACE
#include "own_surface.glsl"
#endif
