// Light through a thin sheet of glass, which does not bend it: what is reflected neither way passes, tinted.

layout(set = 0, binding = 22) uniform sampler2DView behind_glass;

// The share of the light from behind that a sheet lets through: what a dielectric does not reflect.
vec3 let_through(vec3 base_color, float roughness, float n_v) {
    return base_color * diffuse_share(single_albedo(roughness, n_v));
}

// What is opaque behind this fragment, blurred by rough glass.
vec3 light_behind(float roughness) {
    vec2 at = gl_FragCoord.xy / vec2(textureSize(behind_glass, 0).xy);
    float mip = max(roughness - SMOOTHEST, 0.0) * float(textureQueryLevels(behind_glass) - 1);
#if VIEWS > 1
    return textureLod(behind_glass, vec3(at, layer_of_view(behind_glass)), mip).rgb;
#else
    return textureLod(behind_glass, at, mip).rgb;
#endif
}
