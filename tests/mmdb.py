"""Files in the MaxMind DB format, version 2.0, for tests: a tree of bits and the data behind it."""

from ipaddress import ip_network
from typing import NamedTuple


class Number(NamedTuple):
    value: int
    type: int


_TYPES = {
    "binary_format_major_version": 5,
    "binary_format_minor_version": 5,
    "build_epoch": 9,
    "ip_version": 5,
    "record_size": 5,
}


def write(path, records, *, kind="Test-Country"):
    """Write the records of networks, such as {"192.0.2.0/24": {"country": {...}}}."""
    tree, data = [[None, None]], b""
    for network, record in records.items():
        offset, data = len(data), data + _encode(record)
        _insert(tree, ip_network(network), offset)
    count = len(tree)

    def pointer(child):
        if child is None:
            return count
        return child if child >= 0 else count + 16 + (-child - 1)

    nodes = b"".join(pointer(child).to_bytes(4, "big") for node in tree for child in node)
    reported = {
        "binary_format_major_version": 2,
        "binary_format_minor_version": 0,
        "build_epoch": 1_700_000_000,
        "database_type": kind,
        "description": {"en": "made for a test"},
        "ip_version": 6,
        "languages": ["en"],
        "node_count": count,
        "record_size": 32,
    }
    # Readers expect some numbers in a certain type.
    reported = {
        name: Number(value, _TYPES.get(name, 6)) if isinstance(value, int) else value
        for name, value in reported.items()
    }
    metadata = b"\xab\xcd\xefMaxMind.com" + _encode(reported)
    path.write_bytes(nodes + bytes(16) + data + metadata)
    return path


def country(code):
    """Return a record in the format of GeoLite2."""
    return {"country": {"iso_code": code, "names": {"en": code}}}


def _insert(tree, network, offset):
    bits = f"{int(network.network_address):0{network.max_prefixlen}b}"[: network.prefixlen]
    if network.version == 4:
        bits = "0" * 96 + bits
    node = 0
    for bit in bits[:-1]:
        if tree[node][int(bit)] is None:
            tree.append([None, None])
            tree[node][int(bit)] = len(tree) - 1
        node = tree[node][int(bit)]
    tree[node][int(bits[-1])] = -offset - 1


def _number(value, *, type_):
    raw = value.to_bytes((value.bit_length() + 7) // 8, "big")
    return _head(type_, len(raw)) + raw


def _encode(value):
    if isinstance(value, Number):
        return _number(value.value, type_=value.type)
    if isinstance(value, str):
        return _head(2, len(value.encode())) + value.encode()
    if isinstance(value, int):
        return _number(value, type_=6)
    if isinstance(value, list):
        return _head(11, len(value)) + b"".join(_encode(item) for item in value)
    pairs = b"".join(_encode(name) + _encode(item) for name, item in value.items())
    return _head(7, len(value)) + pairs


def _head(type_, size):
    assert size < 29
    return bytes([type_ << 5 | size]) if type_ < 8 else bytes([size, type_ - 7])
