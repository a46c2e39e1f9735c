"""Looking at a repository with git, and a git directory of ours."""
