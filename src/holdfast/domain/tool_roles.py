"""What a tool is for, whatever its agent calls it.

An agent's adapter gives each call one of these; nothing else knows a tool's name but to
show and count it.
"""

from typing import Literal

Role = Literal[
    "read",  # a file
    "list",  # a directory
    "search",  # files, or text in them
    "web",
    "consult",  # anything else that only looks
    "edit",  # a part of a file
    "write",  # a whole file
    "run",  # a command
    "run_output",  # what a command in the background printed since
    "task_output",  # what came of other work in the background
    "stop",  # ends work in the background
    "todo_list",  # the task list, replaced whole
    "todo",  # one task of it, added or changed
    "ask",  # the user, with choices
    "plan",  # a plan is put to the user
    "plan_mode",  # planning begins
    "agent",  # a sub-agent
    "skill",
    "server",  # a tool that somebody's server brings
    "other",
]

# Of these the next session looks for itself.
LOOKING: frozenset[Role] = frozenset(["read", "list", "search", "web", "consult"])
EDITING: frozenset[Role] = frozenset(["edit", "write"])
SHELL: frozenset[Role] = frozenset(["run", "run_output"])
# What refuses these is in the client's own words from the first letter on: what others
# wrote comes back from them, if at all, behind words of the client.
CLIENTS_OWN: frozenset[Role] = EDITING | {
    "read",
    "list",
    "search",
    "plan_mode",
    "plan",
    "todo_list",
    "todo",
}
