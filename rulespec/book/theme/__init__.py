"""A lean theme for mkdocs: text with contents beside it, light and dark, nothing from elsewhere."""
