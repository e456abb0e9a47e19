"""Files that the program keeps: written atomically, read with care, believed only with our digest.

In: paths and bytes. Out: bytes that are ours, or nothing. It knows no game and no verdict.

In order: `safe_reading` (regular files, up to a limit) and `atomic_files` (whole or not at all) ->
`private_folders` (where only the user writes) -> `authentication` (keyed digests) -> `cache` ->
`code_cache`; `source_digest` tells which source some work rests on.
"""
