"""Marks CSV cells so that spreadsheets treat them as text.

Spreadsheets may evaluate a cell that looks like a formula. Such cells therefore get a leading `'`,
which marks text in spreadsheets; imports remove it.
"""

from typing import Any

# The beginnings of formulas in Excel, LibreOffice and others. Source: OWASP.
FORMULA_STARTS = tuple("=+-@\t\r\n＝＋－＠")  # noqa: RUF001 - full-width characters
_QUOTE = "'"


def mark_formula(cell: Any) -> Any:
    """Return a cell for CSV; values other than text are returned unchanged."""
    needs_mark = isinstance(cell, str) and cell.startswith((*FORMULA_STARTS, _QUOTE))
    return f"{_QUOTE}{cell}" if needs_mark else cell


def unmark(cell: str) -> str:
    """Reverse `mark_formula`."""
    is_marked = cell.startswith(_QUOTE) and cell[1:].startswith((*FORMULA_STARTS, _QUOTE))
    return cell[1:] if is_marked else cell
