#include "patterned_parts.glsl"

void own_surface(inout Surface surface, SurfacePoint at) {
    vec4 texel = texture(pattern, at.uv, at.mip_bias);
    surface.base_color *= patterned(texel.rgb) * parameters.tint;
    surface.alpha *= texel.a;
    surface.roughness = parameters.roughness;
}
