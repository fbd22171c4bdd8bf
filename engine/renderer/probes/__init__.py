"""Light indoors: probes of a scene, which nodes of the frame's graph bake."""
