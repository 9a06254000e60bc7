"""Finds Chart.js, which draws the charts: one file of the distribution, copied into the site."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Optional

from ..records.jsonl import BadInput, opened

# Files of Debian's and Ubuntu's package libjs-chart.js and of npm's chart.js 4.
_PLACES = (
    "/usr/share/javascript/chart.js/chart.min.js",
    "/usr/share/nodejs/chart.js/dist/chart.min.js",
    "/usr/share/nodejs/chart.js/dist/chart.umd.js",
)
_WANTED = "chart.min.js of Chart.js 3, or chart.umd.js of Chart.js 4, is wanted"
_MOST_BYTES = 1 << 20
_ITSELF = re.compile(rb"Chart\.js v[34]\.")


def chart_library(given: Optional[Path]) -> bytes:
    """The library's text, from the given file or else from the distribution's. Raises BadInput."""
    if given is None:
        given = next((Path(place) for place in _PLACES if Path(place).is_file()), None)
        if given is None:
            raise BadInput(
                "Chart.js draws the charts and is not installed here: apt-get install libjs-chart.js, or get "
                "dist/chart.umd.js of the npm package chart.js and name it by --chart-js FILE"
            )
    with opened(given, "--chart-js", _WANTED) as file:
        text = file.read(_MOST_BYTES + 1)
    if len(text) > _MOST_BYTES or not _ITSELF.search(text[:1000]):
        raise BadInput(f"--chart-js {given}: is not Chart.js 3 or 4; {_WANTED}")
    return text
