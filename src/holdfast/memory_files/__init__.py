"""Files that people read and edit, inside a project: reached safely, changed whole."""
