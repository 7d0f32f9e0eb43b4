"""Redraws a host's icon in a separate process with limits, because the image comes from untrusted
servers.

`python -m hosts.icon_drawing` reads an image from standard input and writes a PNG, or nothing if it
contains no icon. It gets no settings or secrets, and imports no other module of Linkwatch.
"""

import io
import resource
import sys

MAX_BYTES = 32 * 1024  # bytes of an image
_ICON_SIDE = 32  # pixels; the drawn icon is at most this wide and high
_MAX_IMAGE_SIDE = 256  # pixels; larger images are not decoded
_MAX_MEMORY, _MAX_CPU_SECONDS = 256 * 1024 * 1024, 2  # address space and CPU time of the process
_FORMATS = {
    b"\x89PNG\r\n\x1a\n": "PNG",
    b"\x00\x00\x01\x00": "ICO",
    b"GIF87a": "GIF",
    b"GIF89a": "GIF",
    b"\xff\xd8\xff": "JPEG",
    b"RIFF": "WEBP",
}
_MAX_ICO_SIZES = 32  # sizes in an ICO file


def is_image(data: bytes) -> bool:
    """Return whether the data look like an image that can be drawn, and are not too large."""
    return len(data) <= MAX_BYTES and data.startswith(tuple(_FORMATS))


def draw(data: bytes) -> bytes:
    """Return the image as a small PNG without metadata.

    Empty if the image is too large, too small or invisible. Raises any error that Pillow raises
    for a damaged image.
    """
    from PIL import IcoImagePlugin, Image  # only in this process

    # Pillow raises an error for more than twice this number.
    Image.MAX_IMAGE_PIXELS = _MAX_IMAGE_SIDE * _MAX_IMAGE_SIDE // 2
    format_ = next(name for start, name in _FORMATS.items() if data.startswith(start))
    if format_ == "ICO" and int.from_bytes(data[4:6], "little") > _MAX_ICO_SIZES:
        return b""
    with Image.open(io.BytesIO(data), formats=[format_]) as image:
        if isinstance(image, IcoImagePlugin.IcoImageFile):
            sizes = sorted(image.ico.sizes())
            image.size = next((size for size in sizes if min(size) >= _ICON_SIDE), sizes[-1])
        if max(image.size) > _MAX_IMAGE_SIDE:
            return b""
        icon = image.convert("RGBA")
    icon.thumbnail((_ICON_SIDE, _ICON_SIDE), Image.Resampling.LANCZOS)
    _, max_alpha = icon.getchannel("A").getextrema()
    if max(icon.size) < _ICON_SIDE / 4 or not max_alpha:
        return b""
    icon.info.clear()
    png = io.BytesIO()
    icon.save(png, "PNG", optimize=True)
    return png.getvalue()


def main() -> None:
    """Read an image from standard input; write its icon, if it has one, to standard output.

    The process is killed if that takes too much CPU time.
    """
    resource.setrlimit(resource.RLIMIT_AS, (_MAX_MEMORY, _MAX_MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (_MAX_CPU_SECONDS, _MAX_CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    data = sys.stdin.buffer.read(MAX_BYTES + 1)
    if not is_image(data):
        return
    try:
        png = draw(data)
    except Exception:  # noqa: BLE001 - Pillow can't read the image, or has too little memory
        return
    sys.stdout.buffer.write(png)


if __name__ == "__main__":
    main()
