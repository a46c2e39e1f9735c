"""The machine around us: processes, and small files beside the store."""
