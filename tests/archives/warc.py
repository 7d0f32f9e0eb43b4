"""Write an archive's holdings as a WARC file. Source: ISO 28500 (WARC 1.0)."""

import base64
from hashlib import sha1
from pathlib import Path

from tests.archives.holdings import Holdings, Snapshot


def write_warc(path: Path, holdings: Holdings) -> None:
    with path.open("wb") as file:
        for number, (url, one) in enumerate(holdings):
            file.write(_record(url, one, number, holdings))


def _record(url: str, one: Snapshot, number: int, holdings: Holdings) -> bytes:
    head = [f"HTTP/1.1 {one.status} OK", *(f"{name}: {value}" for name, value in one.headers)]
    http = "\r\n".join([*head, "", ""]).encode()
    payload = b"" if one.is_revisit else one.body
    digest = base64.b32encode(sha1(one.body, usedforsecurity=False).digest()).decode()
    headers = {
        "WARC-Type": "revisit" if one.is_revisit else "response",
        "WARC-Record-ID": f"<urn:uuid:00000000-0000-4000-8000-{number:012x}>",
        "WARC-Target-URI": url,
        "WARC-Date": f"{one.at:%Y-%m-%dT%H:%M:%SZ}",
        "WARC-Payload-Digest": f"sha1:{digest}",
        "Content-Type": "application/http; msgtype=response",
        "Content-Length": str(len(http) + len(payload)),
    }
    if one.is_revisit:
        first = next(row for row in holdings.of(url) if row.body == one.body)
        headers |= {
            "WARC-Profile": "http://netpreserve.org/warc/1.0/revisit/identical-payload-digest",
            "WARC-Refers-To-Target-URI": url,
            "WARC-Refers-To-Date": f"{first.at:%Y-%m-%dT%H:%M:%SZ}",
        }
    lines = ["WARC/1.0", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
    return "\r\n".join(lines).encode() + http + payload + b"\r\n\r\n"
