"""Many battles: seeds, worker processes, chunks on disk, resuming, and the manifest that says what was played."""
