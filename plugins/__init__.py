"""The plugins that come with framewright; each stands alone and uses only what any plugin can."""
