"""Puts `rulesets/` into the wheel. An editable install gets no copy: it would grow stale."""

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class RulesetsHook(BuildHookInterface):  # type: ignore[type-arg]
    """Ships the games as `rulespec/_rulesets`, data beside the package."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "editable":
            build_data["force_include"]["rulesets"] = "rulespec/_rulesets"
