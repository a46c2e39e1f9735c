"""The rollouts of Codex CLI: where they are, and what their lines say."""
