"""Adapters that wire holdfast into an agent: its plugin, its settings, its commands."""
