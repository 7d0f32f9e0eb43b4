"""Strangers' images become small PNGs in bounded time and memory, or are rejected."""

import io
import logging
import os
import struct
import time
import zlib
from typing import Any

import pytest
from PIL import Image

from hosts import icon_store
from hosts.icon_drawing import MAX_BYTES

pytestmark = pytest.mark.any_database


def image(kind, size=(48, 48), mode="RGBA", *, color: Any = 1):
    file = io.BytesIO()
    full = (40, 90, 200, 255)[: len(Image.new(mode, (1, 1)).getbands())]
    color = full if color == 1 and mode not in ("1", "P", "I;16") else color
    Image.new(mode, size, color).save(file, kind)
    return file.getvalue()


def chunk(name, data):
    sum_ = struct.pack(">I", zlib.crc32(name + data))
    return struct.pack(">I", len(data)) + name + data + sum_


def png(width, height, *, more=b"", rows=b""):
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0))
    body = chunk(b"IDAT", zlib.compress(rows or bytes(100_000)))
    return b"\x89PNG\r\n\x1a\n" + head + more + body + chunk(b"IEND", b"")


def ico(entries):
    return struct.pack("<HHH", 0, 1, len(entries)) + b"".join(entries)


def entry(side, size, offset):
    return struct.pack("<BBBBHHII", side, side, 0, 0, 1, 32, size, offset)


def extended_webp(width, height):
    size = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    body = b"WEBPVP8X" + struct.pack("<I", 10) + bytes([2, 0, 0, 0]) + size
    body += b"ANIM" + struct.pack("<I", 6) + bytes(6)
    return b"RIFF" + struct.pack("<I", len(body)) + body


@pytest.mark.parametrize(
    ("kind", "mode"),
    [
        *(("PNG", mode) for mode in ("1", "L", "LA", "P", "RGB", "RGBA", "I;16")),
        *(("ICO", mode) for mode in ("RGBA", "RGB")),
        *(("GIF", "P"), ("JPEG", "RGB"), ("JPEG", "CMYK"), ("WEBP", "RGBA")),
    ],
)
def test_an_icon_of_each_format_is_drawn_as_a_small_png(kind, mode):
    drawn = Image.open(io.BytesIO(icon_store.draw(image(kind, mode=mode))))

    assert (drawn.format, drawn.mode, drawn.size) == ("PNG", "RGBA", (32, 32))


def test_the_smallest_sufficient_size_of_an_ico_file_is_used():
    file = io.BytesIO()
    sizes = [(side, side) for side in (16, 32, 256)]
    Image.linear_gradient("L").convert("RGB").save(file, "ICO", sizes=sizes)

    assert Image.open(io.BytesIO(icon_store.draw(file.getvalue()))).size == (32, 32)
    assert Image.open(io.BytesIO(icon_store.draw(image("PNG", (16, 16))))).size == (16, 16)
    assert Image.open(io.BytesIO(icon_store.draw(image("PNG", (64, 16))))).size == (32, 8)


def test_a_drawn_icon_has_no_metadata():
    noted = chunk(b"tEXt", b"Comment\0secret") + chunk(b"iCCP", b"a\0\0" + zlib.compress(b"secret"))
    given = png(16, 16, more=noted, rows=(b"\0" + b"\xff" * 64) * 16)

    drawn = icon_store.draw(given)

    assert drawn.startswith(b"\x89PNG")
    assert b"iCCP" not in drawn
    assert b"tEXt" not in drawn


HOSTILE = {
    "nothing": b"",
    "html": b"<!doctype html><title>No such page</title>",
    "svg named .ico": b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    "too large": image("PNG") + bytes(MAX_BYTES),
    "beginning only": image("PNG")[:60],
    "png of 4 gigapixels": png(65_535, 65_535),
    "png of 257 pixels": image("PNG", (257, 1)),
    "png without rows": b"\x89PNG\r\n\x1a\n",
    "png that inflates its text": png(
        16, 16, more=chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(20_000_000)))
    ),
    "thousands of entries": ico([entry(16, 40, 6)] * 2000),
    "as many entries as it may say": struct.pack("<HHH", 0, 1, 65_535),
    "ico without entries": ico([]),
    "ico with itself inside": ico([entry(16, 22, 0)]),
    "ico with a large png": ico([entry(16, 30_000, 22)]) + png(60_000, 60_000),
    "ico with a large bitmap": ico([entry(0, 40, 22)])
    + struct.pack("<IiiHHIIiiII", 40, 2**30, 2**30, 1, 32, 0, 0, 0, 0, 0, 0),
    "gif of 4 gigapixels": b"GIF89a" + struct.pack("<HHBBB", 65_535, 65_535, 0, 0, 0) + b";",
    "jpeg of 4 gigapixels": b"\xff\xd8\xff\xc0"
    + struct.pack(">HBHHB", 11, 8, 65_535, 65_535, 1)
    + b"\1\x11\0",
    "webp of 268 megapixels": extended_webp(16_383, 16_383),
    "a cursor": b"\0\0\2\0" + image("ICO")[4:],
    "a pixel that counts": image("GIF", (1, 1), "P"),
    "nothing to be seen": image("PNG", color=(0, 0, 0, 0)),
    "noise": os.urandom(2000),
    "noise that begins well": b"\x00\x00\x01\x00\x01\x00" + os.urandom(2000),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_invalid_icons_are_rejected_cheaply(name, caplog):
    began = time.monotonic()

    with caplog.at_level(logging.WARNING):
        assert icon_store.draw(HOSTILE[name]) == b""

    assert time.monotonic() - began < icon_store.DRAWING_TIMEOUT
    assert not caplog.records


def test_the_drawing_process_inherits_nothing(monkeypatch, tmp_path):
    """Its environment is empty: it has neither secrets nor modules that Python would load."""
    (tmp_path / "PIL.py").write_text("raise SystemExit(7)")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    assert icon_store.draw(image("PNG"))


def test_a_drawing_process_that_cannot_start_is_logged(monkeypatch, caplog):
    monkeypatch.setattr("sys.executable", "/nowhere/python")

    assert icon_store.draw(image("PNG")) == b""
    assert "An icon could not be drawn" in caplog.text
