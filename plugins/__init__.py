"""The plugins that come with renderwright; each stands alone and uses only what any plugin can."""
