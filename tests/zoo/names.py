"""A real name server on loopback, and the system's own resolver asking it.

glibc keeps the address of the name server per thread (`__res_state`), so a thread pool whose
threads use the address of this server makes every getaddrinfo of Linkwatch query it. This needs no
root, no namespace and no port 53, and tests the same library as in production.
"""

import contextlib
import ctypes
import socket
import struct
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, field

NXDOMAIN, FORMERR, SERVFAIL, NOTIMP, REFUSED = 3, 1, 2, 4, 5
MUTE = "mute"  # the server never answers
_A, _AAAA = 1, 28


@dataclass(frozen=True)
class Each:
    """Different answers to queries for IPv4 and for IPv6 addresses."""

    a: Sequence[str] | int | str
    aaaa: Sequence[str] | int | str


# The answer for a name: addresses, an error code, or silence; or a list of these, one for each
# lookup.
Answer = Sequence[str] | int | str | Each


class _Server(ctypes.Structure):
    _fields_ = [
        ("family", ctypes.c_uint16),
        ("port", ctypes.c_uint16),
        ("address", ctypes.c_uint8 * 4),
        ("zero", ctypes.c_char * 8),
    ]


class _ResolverState(ctypes.Structure):
    """The beginning of the public `struct __res_state` of resolv.h."""

    _fields_ = [
        ("retrans", ctypes.c_int),
        ("retry", ctypes.c_int),
        ("options", ctypes.c_ulong),
        ("nscount", ctypes.c_int),
        ("servers", _Server * 3),
    ]


@dataclass
class NameServer:
    """Answers with `names`, and with NXDOMAIN for all other names; counts the lookups of each
    name."""

    names: Mapping[str, Answer | list[Answer]]
    port: int = 0
    lookups: dict[str, int] = field(default_factory=dict)

    def reply(self, query: bytes) -> bytes | None:
        end = query.index(0, 12) + 5
        name, kind = _name(query), struct.unpack("!H", query[end - 4 : end - 2])[0]
        answer = self._answer(name, kind)
        if answer == MUTE:
            return None
        if isinstance(answer, int):
            return query[:2] + struct.pack("!5H", 0x8180 | answer, 1, 0, 0, 0) + query[12:end]
        records = [record for address in answer if (record := _record(address, kind))]
        head = query[:2] + struct.pack("!5H", 0x8180, 1, len(records), 0, 0)
        return head + query[12:end] + b"".join(records)

    def _answer(self, name: str, kind: int) -> Sequence[str] | int | str:
        """A lookup queries A and AAAA; only A is counted."""
        if kind == _A:
            self.lookups[name] = self.lookups.get(name, 0) + 1
        answer = self.names.get(name, NXDOMAIN)
        if isinstance(answer, list):
            answer = answer[min(max(self.lookups.get(name, 1), 1), len(answer)) - 1]
        if isinstance(answer, Each):
            return answer.a if kind == _A else answer.aaaa
        return answer


def _name(query: bytes) -> str:
    labels, at = [], 12
    while query[at]:
        labels.append(query[at + 1 : at + 1 + query[at]].decode())
        at += 1 + query[at]
    return ".".join(labels).lower()


def _record(address: str, kind: int) -> bytes | None:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    if kind != (_AAAA if family == socket.AF_INET6 else _A):
        return None
    packed = socket.inet_pton(family, address)
    return struct.pack("!HHHIH", 0xC00C, kind, 1, 0, len(packed)) + packed


@contextlib.contextmanager
def name_server(names: Mapping[str, Answer | list[Answer]]) -> Iterator[NameServer]:
    """Run a name server on a free port of loopback."""
    server = NameServer(names)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.bind(("127.0.0.1", 0))
        server.port = sock.getsockname()[1]

        def answer_each() -> None:
            while True:
                packet, client = sock.recvfrom(2048)
                if not packet:
                    return
                reply = server.reply(packet)
                if reply is not None:
                    sock.sendto(reply, client)

        thread = threading.Thread(target=answer_each)
        thread.start()
        try:
            yield server
        finally:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as last:
                last.sendto(b"", ("127.0.0.1", server.port))
            thread.join()


class ThreadsAsking(Executor):
    """Threads whose getaddrinfo queries this name server, once.

    They wait a second for a name that gets no answer, and much longer for other names, because the
    machine may be busy.
    """

    def __init__(self, server: NameServer) -> None:
        self._server = server
        self._brief = _threads_asking(server.port, seconds=1)
        self._patient = _threads_asking(server.port, seconds=20)

    def submit(self, function, name, /, *rest):  # type: ignore[override]
        is_mute = self._server.names.get(name.decode()) == MUTE
        return (self._brief if is_mute else self._patient).submit(function, name, *rest)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        for threads in (self._brief, self._patient):
            threads.shutdown(wait, cancel_futures=cancel_futures)


def _threads_asking(port: int, *, seconds: int) -> ThreadPoolExecutor:
    libc = ctypes.CDLL("libc.so.6")
    state = libc["__res_state"]
    state.restype = ctypes.POINTER(_ResolverState)

    def point() -> None:
        libc["__res_init"]()
        mine = state().contents
        mine.retrans, mine.retry, mine.nscount = seconds, 1, 1
        mine.servers[0].family = socket.AF_INET
        mine.servers[0].port = socket.htons(port)
        mine.servers[0].address[:] = socket.inet_aton("127.0.0.1")

    return ThreadPoolExecutor(16, initializer=point, thread_name_prefix="resolve-test")
