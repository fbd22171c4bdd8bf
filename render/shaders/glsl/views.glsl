// For shaders of nodes that can be drawn for several views at once (reg.multiview). There the runtime defines VIEWS.
// Include this before anything else.
//
// A block of a value that each view has of its own holds an array, whose element is chosen by VIEW:
//
//     struct Sight { mat4 matrix; };
//     layout(set = 0, binding = 0) uniform SightBlock { Sight of_view[VIEWS]; } sight;
//     #define sight sight.of_view[VIEW]
//
// A texture that each view has of its own is a sampler2DView. texture_of_view and texel_of_view choose the layer.

#ifndef VIEWS
#define VIEWS 1
#endif

#if VIEWS > 1

#extension GL_EXT_multiview : require
#define VIEW gl_ViewIndex
#define sampler2DView sampler2DArray

// A texture that exists once for all views has one layer.
int layer_of_view(sampler2DArray image) {
    return min(VIEW, textureSize(image, 0).z - 1);
}

vec4 texel_of_view(sampler2DArray image, ivec2 texel, int mip) {
    return texelFetch(image, ivec3(texel, layer_of_view(image)), mip);
}

#define texture_of_view(image, uv) texture(image, vec3(uv, layer_of_view(image)))

#else

#define VIEW 0
#define sampler2DView sampler2D
#define texel_of_view(image, texel, mip) texelFetch(image, texel, mip)
#define texture_of_view(image, uv) texture(image, uv)

#endif

// The texel of a texture of the picture's size, or of the one texel that replaces an absent one (optional(otherwise=...)).
#define texel_or_constant(image, texel) texel_of_view(image, min(texel, textureSize(image, 0).xy - 1), 0)
