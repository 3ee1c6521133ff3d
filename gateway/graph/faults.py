"""The error of a function over short answers that could not be computed: its sub-query fails, the turn goes on."""

from libs.runtime.errors import ParleyError


class FunctionFailed(ParleyError):  # noqa: N818 - named as the failures of libs.runtime.errors
    """A function can't be computed from its arguments; the message names the invalid one."""

    def __init__(self, why: str) -> None:
        super().__init__("FUNCTION_FAILED", why)
