"""Files that the program keeps: written atomically, read with care, trusted only with our digest.

In: paths and bytes. Out: bytes that are ours, or nothing. It knows no game and no verdict.

In order: `safe_reading` (regular files, up to a limit) and `atomic_files` (whole or not at all) ->
`private_folders` (writable only by the user) -> `authentication` (keyed digests) -> `cache` -> `code_cache`;
`source_digest` identifies the source on which some work rests.
"""
