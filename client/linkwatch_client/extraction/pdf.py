"""Links in PDF files, without lines or columns: annotations, and URLs in the text."""

import logging
import time
from collections.abc import Iterator
from io import BytesIO
from typing import Any, NoReturn

from linkwatch_client.extraction import bare_urls
from linkwatch_client.extraction.links import Link, UnreadableFile

MAX_PAGES = 2000
MAX_SECONDS = 60.0  # because a page of a hostile file may take very long


def find(data: bytes) -> Iterator[Link]:
    """Yield the links of a PDF, page by page. Raises UnreadableFile."""
    try:
        from pypdf import PdfReader  # importing it takes half of the start-up time
        from pypdf.errors import DependencyError, PyPdfError
    except ImportError:
        raise UnreadableFile("To read PDF files, install pypdf.") from None
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it logs every defect of a file
    deadline = time.monotonic() + MAX_SECONDS
    try:
        pages = PdfReader(BytesIO(data), strict=False).pages
        for number in range(min(len(pages), MAX_PAGES + 1)):
            if number == MAX_PAGES or time.monotonic() > deadline:
                _refuse(len(pages))
            yield from _find_in_page(pages[number])
    except UnreadableFile:
        raise
    except (DependencyError, NotImplementedError) as error:
        raise UnreadableFile(f"The PDF can't be read: {error}.") from None
    except (PyPdfError, ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
        raise UnreadableFile(f"The PDF is damaged: {type(error).__name__}.") from None
    except (RecursionError, OverflowError, MemoryError, ZeroDivisionError, AssertionError):
        raise UnreadableFile("The PDF is damaged.") from None


def _refuse(page_count: int) -> NoReturn:
    raise UnreadableFile(f"The PDF takes too long to read: {page_count:,} pages.")


def _find_in_page(page: Any) -> Iterator[Link]:
    annotated = [url for url in map(_annotated_url, page.annotations or []) if url]
    for url in dict.fromkeys(annotated):
        yield Link(url, None, None, "")
    for url in dict.fromkeys(url for _, url, _, _ in bare_urls.find(page.extract_text())):
        # If a line break splits a URL in the text, its first part begins an annotated URL.
        if not any(full_url.startswith(url) for full_url in annotated):
            yield Link(url, None, None, "")


def _annotated_url(annotation: Any) -> str:
    action = annotation.get_object().get("/A")
    uri = action.get_object().get("/URI") if action is not None else None
    return str(uri).strip() if uri is not None else ""
