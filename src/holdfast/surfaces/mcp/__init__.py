"""The tools, resources and prompts an agent calls over MCP."""
