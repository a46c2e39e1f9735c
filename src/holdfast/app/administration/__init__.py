"""Doctor, repair, install, switches, why: the verbs about holdfast itself."""
