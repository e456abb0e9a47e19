"""The form of parts and results between machines: JSON data of declared types, verdicts with remarks."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from ..core.data_forms import DataForm, WrongForm
from ..core.verdicts import StoreError, Verdict, verdict_from
from ..core.verdicts.evidence_data import is_line


def _write_verdict(verdict: Verdict) -> dict[str, Any]:
    return {"verdict": verdict.to_data(), "remarks": [*verdict.remarks]}


def _read_verdict(data: Any) -> Verdict:
    if not isinstance(data, dict) or data.keys() != {"verdict", "remarks"}:
        raise WrongForm("no verdict with remarks")
    remarks = DataForm().decode(tuple[Annotated[str, is_line], ...], data["remarks"])
    try:
        return replace(verdict_from(data["verdict"]), remarks=remarks)
    except StoreError as error:
        raise WrongForm(str(error)) from None


WIRE = DataForm({Verdict: (_write_verdict, _read_verdict)})
