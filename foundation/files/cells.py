"""Cells of CSV that a spreadsheet takes for text, whatever is in them.

One that begins like a formula it would take for one and may run it. So these get a `'` in front, as
spreadsheets themselves mark text, and lose it on the way in.
"""

from typing import Any

# What Excel, LibreOffice and others take for the beginning of a formula. Source: OWASP.
FORMULA = tuple("=+-@\t\r\n＝＋－＠")  # noqa: RUF001 - full width letters
_QUOTE = "'"


def marked(cell: Any) -> Any:
    """Return a cell as it is written; what is no text stays as it is."""
    is_marked = isinstance(cell, str) and cell.startswith((*FORMULA, _QUOTE))
    return f"{_QUOTE}{cell}" if is_marked else cell


def unmarked(cell: str) -> str:
    """Return what `marked` made a cell of."""
    is_marked = cell.startswith(_QUOTE) and cell[1:].startswith((*FORMULA, _QUOTE))
    return cell[1:] if is_marked else cell
