"""The sites for benches of checks: nginx on many loopback hosts, over http or https."""

import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from harness import debian_program, wait_for_port

LARGE = 30 * 1024  # characters of a large page
LINKS = 4000  # on a site's /index.html, for checkers that start from a page

_NGINX = """
daemon off; worker_processes 1; pid {folder}/pid; error_log stderr crit;
events {{ worker_connections 8192; }}
http {{
    log_format bytes '$request_length $bytes_sent $status';
    access_log {log};
    keepalive_timeout {keepalive}; keepalive_requests 1000;
    client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder};
    uwsgi_temp_path {folder}; scgi_temp_path {folder};
    {servers}
}}
"""
_LOCATIONS = """
        location = /index.html {{ root {folder}; }}
        location /large/ {{ default_type text/html; root {folder}; try_files /large.html =404; }}
        location ~ ^/away/([0-9.]+)/ {{ return 302 $scheme://$1:$server_port/; }}
        location / {{ default_type text/html; return 200 "<title>hello</title>"; }}
"""


@dataclass(frozen=True)
class Sites:
    """Hosts that one nginx serves; each has a small page at any path, and 30 KiB below /large/."""

    hosts: Sequence[str]
    port: int
    folder: Path
    scheme: str = "http"

    @property
    def start_page(self) -> str:
        """A page with links to the first LINKS pages."""
        return f"{self.scheme}://{self.hosts[0]}:{self.port}/index.html"

    def urls(self, per_host: int, folder: str = "") -> list[str]:
        """Return the pages of all hosts, interleaved as a crawler would request them."""
        return [
            f"{self.scheme}://{host}:{self.port}/{folder}{n}"
            for n in range(per_host)
            for host in self.hosts
        ]

    def urls_half_redirected(self, per_host: int) -> list[str]:
        """Return as many other URLs, half of which redirect to another host."""
        urls = []
        for n in range(per_host):
            for number, host in enumerate(self.hosts):
                destination = self.hosts[(number + 7 * n + 1) % len(self.hosts)]
                path = f"away/{destination}/{n}" if n % 2 else f"stay/{n}"
                urls.append(f"{self.scheme}://{host}:{self.port}/{path}")
        return urls

    def take_traffic(self) -> tuple[int, int]:
        """Return the number of requests since the last call, and their bytes of HTTP.

        Includes headers in both directions, but not the overhead of TLS. Zero unless requests are
        logged.
        """
        log = self.folder / "log"
        lines = log.read_text().splitlines() if log.exists() else []
        if lines:
            log.write_text("")  # nginx appends, so it continues at the beginning
        return len(lines), sum(int(sent) for line in lines for sent in line.split()[:2])


@contextmanager
def certificates(hosts: Sequence[str]) -> Iterator[Path]:
    """Yield a folder with the authority root.pem and a certificate HOST.pem for each host."""
    import trustme

    with tempfile.TemporaryDirectory(prefix="linkwatch-bench-") as name:
        folder, authority = Path(name), trustme.CA()
        authority.cert_pem.write_to_path(str(folder / "root.pem"))
        for host in hosts:
            pem = folder / f"{host}.pem"
            authority.issue_cert(host).private_key_and_cert_chain_pem.write_to_path(str(pem))
        yield folder


@contextmanager
def nginx(
    hosts: Sequence[str],
    port: int,
    *,
    certificates: Path | None = None,
    protocol: str = "TLSv1.3",
    keepalive: int = 0,
    is_logged: bool = False,
) -> Iterator[Sites]:
    """Serve the sites, over TLS if they have `certificates`.

    `keepalive`: the seconds that idle connections stay open.
    """
    with tempfile.TemporaryDirectory(prefix="linkwatch-bench-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        sites = Sites(hosts, port, folder, scheme="https" if certificates else "http")
        if certificates:
            servers = "".join(_secure(host, sites, certificates, protocol) for host in hosts)
        else:
            servers = _plain(sites)
        (folder / "nginx.conf").write_text(
            _NGINX.format(
                folder=folder,
                log=f"{folder}/log bytes" if is_logged else "off",
                keepalive=keepalive,
                servers=servers,
            )
        )
        pages = sites.urls(1 + LINKS // len(hosts))
        links = "".join(f'<a href="{url}">x</a>' for url in pages[:LINKS])
        (folder / "index.html").write_text(links)
        (folder / "large.html").write_text(_large_page())
        program = debian_program("nginx", package="nginx-light")
        server = subprocess.Popen([program, "-c", folder / "nginx.conf", "-p", folder])
        try:
            wait_for_port(hosts[-1], port)  # the last host that it listens on
            yield sites
        finally:
            server.terminate()
            server.wait()


def _plain(sites: Sites) -> str:
    listens = "\n".join(f"listen {host}:{sites.port} backlog=512;" for host in sites.hosts)
    return f"server {{ {listens} {_LOCATIONS.format(folder=sites.folder)} }}"


def _secure(host: str, sites: Sites, certificates: Path, protocol: str) -> str:
    pem = certificates / f"{host}.pem"
    return (
        f"server {{ listen {host}:{sites.port} ssl backlog=512; ssl_protocols {protocol};"
        f" ssl_certificate {pem}; ssl_certificate_key {pem};"
        f" {_LOCATIONS.format(folder=sites.folder)} }}\n"
    )


def _large_page() -> str:
    """Return an article of 30 KiB with menus, scripts and running text."""
    menu = "".join(
        f'<li class="item"><a href="/section/{n}">Section {n}</a></li>' for n in range(120)
    )
    paragraphs = (f"<p>{' '.join(f'word{n}{k}' for k in range(40))}</p>" for n in range(1000))
    head = f"<title>The bridge of 1931 - Museum</title><script>{'x=1;' * 1000}</script>"
    page = f"<html lang=en><head>{head}</head><body><nav>{menu}</nav><h1>The bridge</h1>"
    while len(page) < LARGE:
        page += next(paragraphs)
    return f"{page}</body></html>"
