"""Redis over TLS: all clients verify the certificate, and present their own if required."""

import asyncio
import ssl
from contextlib import asynccontextmanager

import pytest
import redis
import trustme
from django.core.cache import caches

from foundation.breaker import Breaker
from foundation.valkey import clients, resp, scripts
from foundation.valkey.scripts import Script
from linkwatch.settings import cache_settings

pytestmark = pytest.mark.any_database


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Certificates: of the authority, of the server, and of a client with its key."""
    monkeypatch.setattr(scripts, "BREAKER", Breaker(pause=0))
    authority = trustme.CA()
    server, client = authority.issue_cert("localhost"), authority.issue_cert("web@a.example")
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    client.private_key_and_cert_chain_pem.write_to_path(tmp_path / "client.pem")
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.verify_mode = ssl.CERT_REQUIRED
    authority.configure_trust(context)
    server.configure_cert(context)
    return tmp_path, context


@asynccontextmanager
async def behind_tls(context, path):
    """Serve the Redis behind this socket over TLS; yields the port."""
    serving = set()

    async def pump(reader, writer):
        try:
            while data := await reader.read(65_536):
                writer.write(data)
        except OSError:
            pass
        finally:
            writer.close()

    async def serve(reader, writer):
        serving.add(asyncio.current_task())
        inner = await asyncio.open_unix_connection(path)
        await asyncio.gather(pump(reader, inner[1]), pump(inner[0], writer))

    server = await asyncio.start_server(serve, "localhost", 0, ssl=context)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        await asyncio.gather(*serving)


def test_all_clients_speak_tls(files, settings):
    folder, context = files
    path = settings.REDIS_URL.removeprefix("unix://").partition("?")[0]

    def from_threads():
        cache = caches.create_connection("default")
        cache.set("a", "b")
        assert (clients.client().ping(), cache.get("a")) == (True, "b")
        cache.close()
        clients.client().connection_pool.disconnect()

    async def scenario():
        async with behind_tls(context, path) as port:
            options = f"ssl_ca_certs={folder}/ca.pem&ssl_certfile={folder}/client.pem"
            settings.REDIS_URL = f"rediss://localhost:{port}/0?{options}"
            settings.CACHES = cache_settings(settings.REDIS_URL)
            await asyncio.to_thread(from_threads)
            assert await clients.async_client().ping()
            assert await Script("return 7").run(["x"]) == 7
            await resp.close_all()

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("host", "options"),
    [
        ("localhost", ""),  # signed by an unknown authority
        ("127.0.0.1", "ssl_ca_certs={0}/ca.pem"),  # issued for another name
    ],
)
def test_a_certificate_that_proves_nothing_is_refused(files, settings, host, options):
    folder, context = files
    path = settings.REDIS_URL.removeprefix("unix://").partition("?")[0]

    async def scenario():
        async with behind_tls(context, path) as port:
            settings.REDIS_URL = f"rediss://{host}:{port}/0?{options.format(folder)}"
            for ask in (clients.async_client().ping, lambda: Script("return 7").run(["x"])):
                with pytest.raises(redis.ConnectionError, match="CERTIFICATE_VERIFY_FAILED"):
                    await ask()
            with pytest.raises(redis.ConnectionError, match="CERTIFICATE_VERIFY_FAILED"):
                await asyncio.to_thread(clients.client().ping)
            await resp.close_all()

    asyncio.run(scenario())
