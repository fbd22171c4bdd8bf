void own_surface(inout Surface surface, SurfacePoint at) {}
