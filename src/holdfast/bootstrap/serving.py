"""What `holdfast serve` works with, beside the ports of every verb."""

from holdfast.bootstrap import Container
from holdfast.data_directory.access_tokens import TokenFile
from holdfast.data_directory.port import AccessTokens


def access_tokens(container: Container) -> AccessTokens:
    """Return the tokens of whoever may ask this data directory's server."""
    return TokenFile(container.home)
