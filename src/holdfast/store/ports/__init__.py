"""What a store promises, role by role. Each sentence is a contract test."""
