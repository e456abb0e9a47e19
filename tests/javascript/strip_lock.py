"""Strip the lock of the JavaScript tools of all but what an install needs: it names no address."""

from __future__ import annotations

import json
from pathlib import Path

LOCK = Path(__file__).parent / "package-lock.json"

data = json.loads(LOCK.read_text("utf-8"))
for package in data["packages"].values():
    for key in ("engines", "funding", "license", "resolved"):
        package.pop(key, None)
LOCK.write_text(json.dumps(data, indent=1) + "\n", "utf-8")
