"""How a repeated workflow is proposed."""

from holdfast.domain.memory import Workflow


def proposal(flow: Workflow, name: str, triggers: tuple[str, ...]) -> str:
    """Return the proposal, in the form that people who use it know."""
    told = ", ".join(f'"{trigger}"' for trigger in triggers)
    return (
        "[Repeated workflow candidate detected]\n"
        f"- Signature: {flow.signature}\n"
        f"- Frequency: {flow.here} this session / {flow.ever} accumulated\n"
        "- Suggestion: this workflow might benefit from a dedicated skill\n"
        f"- Proposed skill name: {name}\n"
        f"- Proposed triggers: {told}"
    )
