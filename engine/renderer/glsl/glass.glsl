// Light through glass: what is not reflected passes, tinted. A thin sheet does not bend it, a body does.

layout(set = 0, binding = 22) uniform sampler2DView behind_glass;

// The share of the light from behind that a sheet lets through: what a dielectric does not reflect.
vec3 let_through(vec3 base_color, float roughness, float n_v) {
    return base_color * diffuse_share(single_albedo(roughness, n_v));
}

// What is opaque at a place in the picture, blurred by rough glass.
vec3 light_behind(vec2 at, float roughness) {
    float mip = max(roughness - SMOOTHEST, 0.0) * float(textureQueryLevels(behind_glass) - 1);
#if VIEWS > 1
    return textureLod(behind_glass, vec3(at, layer_of_view(behind_glass)), mip).rgb;
#else
    return textureLod(behind_glass, at, mip).rgb;
#endif
}

// What is opaque behind this fragment.
vec3 light_behind(float roughness) {
    return light_behind(gl_FragCoord.xy / vec2(textureSize(behind_glass, 0).xy), roughness);
}

#ifdef LAYERED
// The light that leaves a body of glass below a surface. It is bent on its way in, and passes as much of the body as it is
// thick; what is opaque is taken from where the way ends in the picture. Source: KHR_materials_volume of glTF 2.0.
vec3 light_through(uint material, float scale, vec3 position, vec3 n, vec3 v, float roughness) {
    vec4 volume = material_layers[material].volume;
    float ior = material_layers[material].coat.w;
    vec3 way = refract(-v, n, 1.0 / ior) * volume.w * scale;
    float blur = roughness * clamp(2.0 * ior - 2.0, 0.0, 1.0);  // a body that does not bend light does not blur it
    return light_behind(place_in_picture(position + way), blur) * exp(-volume.rgb * length(way));
}
#endif
