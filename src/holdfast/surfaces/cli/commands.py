"""Every command with its one-line summary; a command's module is imported on use."""

SUMMARIES = {
    "save": "make a checkpoint of a session",
    "list": "list checkpoints, newest first",
    "show": "show one checkpoint",
    "resume": "print the brief of a checkpoint for the next session",
    "brief": "print the brief of a transcript, storing nothing",
    "search": "find checkpoints by words and filters",
    "status": "show the work since the last checkpoint",
    "config": "show or change settings",
    "doctor": "check store, spool and settings",
    "prune": "remove automatic checkpoints that later ones supersede",
    "demo": "show the whole loop on a made-up session",
}
