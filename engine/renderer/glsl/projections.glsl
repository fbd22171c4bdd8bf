// What shaders know of a projection: a matrix from view or world space to clip space, with reversed depth. Nothing here
// branches by a matrix alone (per_invocation.glsl).

// 1 if the view rays are parallel (orthographic), so that w does not depend on the position; else 0 (perspective).
float parallel_rays(mat4 projection) {
    vec3 to_w = vec3(projection[0][3], projection[1][3], projection[2][3]);
    return 1.0 - step(0.5, dot(to_w, to_w));
}

// The difference of depth that stands for the whole distance of a surface: a difference of a hundredth of it is one of
// about a hundredth of the distance. In perspective this is the depth itself. An orthographic picture has no distance; that
// from which it would have an angle of 60 degrees is taken instead.
float depth_unit(mat4 projection, float depth) {
    vec3 up = vec3(projection[0][1], projection[1][1], projection[2][1]);
    vec3 away = vec3(projection[0][2], projection[1][2], projection[2][2]);
    return mix(depth, 1.7320508 * length(away) / length(up), parallel_rays(projection));
}
