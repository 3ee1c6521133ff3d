"""Why a function could not be computed."""

from libs.runtime.errors import ParleyError


class FunctionFailed(ParleyError):  # noqa: N818 - named as the failures of libs.runtime.errors
    """A function can't be computed from what it was given; says which argument is at fault."""

    def __init__(self, why: str) -> None:
        super().__init__("FUNCTION_FAILED", why)
