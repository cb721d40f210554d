"""What is put into the page as it is: data that no text can break out of, scripts with their digests, the chart library."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable
from functools import cache
from typing import Any

from votewise.errors import VotewiseError

_ESCAPED = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}


def as_json(value: Any) -> str:
    r"""JSON that may stand inside a <script> element, whatever its texts hold.

    >>> print(as_json({"class": "</script>"}))
    {"class":"\u003c/script\u003e"}
    """
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).translate(_ESCAPED)


def data_uri(text: str, kind: str = "text/csv") -> str:
    """A text as an address that a browser can save: no file and no server behind it."""
    return f"data:{kind};charset=utf-8;base64,{base64.b64encode(text.encode()).decode()}"


def policy(scripts: Iterable[str]) -> str:
    """The content security policy of a page whose scripts are these and no others; nothing may be fetched from anywhere."""
    digests = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in scripts)
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


@cache
def chart_library() -> str:
    """Vega, Vega-Lite and Vega-Embed in one script, as vl-convert ships them."""
    try:
        import vl_convert
    except ImportError:
        raise VotewiseError("the page needs vl-convert-python", remedy="install votewise[report]") from None
    from votewise.reporting.charts import VEGA_LITE

    return vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", VEGA_LITE).replace("</script", "<\\/script")
