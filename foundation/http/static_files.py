"""Static files, compressed on their first request, without a build step."""

import gzip
import os
import shutil
from functools import cached_property
from multiprocessing.util import Finalize
from tempfile import mkdtemp
from threading import Lock
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile

_MIN_SIZE = 1400  # bytes: files that fit into one packet gain nothing
_TEXT_SUFFIXES = (".css", ".js", ".svg", ".json", ".map")
_PACKAGE_MAX_AGE = 86_400  # seconds that browsers cache files of packages, such as Swagger
_PACKAGES_PREFIX = "/static/drf_spectacular_sidecar/"


class StaticFilesMiddleware(WhiteNoiseMiddleware):  # type: ignore[misc]
    """WhiteNoise with compression on request; by itself, it compresses only in a build step."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._lock = Lock()
        self._seen: set[str] = set()
        super().__init__(*args, **kwargs)

    @cached_property
    def _folder(self) -> str:
        folder = mkdtemp(prefix="linkwatch-static-")
        # Unlike weakref.finalize, this also runs at the end of a forked web process.
        Finalize(self, shutil.rmtree, [folder], {"ignore_errors": True}, exitpriority=0)
        return folder

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        url = request.path_info
        if url.startswith(self.static_prefix) and url not in self._seen and not self.autorefresh:
            with self._lock:
                if url in self.files and url not in self._seen:
                    self._compress(url)
                    self._seen.add(url)
        response: HttpResponseBase = super().__call__(request)
        return response

    def _compress(self, url: str) -> None:
        """Compress a text file of at least _MIN_SIZE; from now on, send it compressed."""
        path = next(iter(self.candidate_paths_for_url(url)), "")
        try:
            if not path.endswith(_TEXT_SUFFIXES) or os.path.getsize(path) < _MIN_SIZE:
                return
            packed = os.path.join(self._folder, f"{len(self._seen)}.gz")
            with open(path, "rb") as plain, gzip.open(packed, "wb", compresslevel=9) as target:
                shutil.copyfileobj(plain, target)
            headers = self.files[url].get_response("HEAD", {}).headers
        except OSError:
            return
        kept_headers = [pair for pair in headers if pair[0] in ("Content-Type", "Cache-Control")]
        self.files[url] = StaticFile(path, kept_headers, encodings={"gzip": packed})

    def add_cache_headers(self, headers: Any, path: str, url: str) -> None:
        """Let browsers cache files of packages for a day, and ours for a minute."""
        if url.startswith(_PACKAGES_PREFIX):
            headers["Cache-Control"] = f"max-age={_PACKAGE_MAX_AGE}, public"
        else:
            super().add_cache_headers(headers, path, url)
