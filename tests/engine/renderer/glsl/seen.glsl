void own_surface(inout Surface surface, SurfacePoint at) {
    vec3 known[6] = vec3[6](at.position, at.normal, at.view, vec3(at.uv, at.second_uv.x), at.color.rgb, vec3(at.time));
    surface.base_color = vec3(0.0);
    surface.metallic = 0.0;
    surface.emissive = known[int(parameters.which)];
}
