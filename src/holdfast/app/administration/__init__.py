"""Verbs about holdfast itself: doctor, repair, install, switches, why."""
