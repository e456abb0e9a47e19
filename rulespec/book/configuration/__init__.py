"""Configuration: the content of `mkdocs.yml`, limits on it, and the files of a new project.

In: the file of a configuration. Out: mkdocs' configuration, the ruleset files that it names
(`site_configuration`). It knows no pages and no drawings. Order of the files: `limits`, `policy`,
`ruleset_files`, `site_configuration`, `project`.
"""
