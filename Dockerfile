# docker build --tag linkwatch . && docker run --publish 127.0.0.1:8080:8080 --volume linkwatch:/data linkwatch
# All processes of `make up` in one container: SQLite, the bundled Valkey's file and the secret key are in /data.
# To run a single process, name its command, such as `docker run … linkwatch run_web`.
# deploy/pin-images updates the digest. For another Debian: --build-arg BASE=debian:bookworm-slim.
ARG BASE=debian:trixie-slim@sha256:a29215f6a35e51e22adffa17f89e9d2ef06214e64a2bad10d765c46aea49f11f
FROM ${BASE} AS build
RUN apt-get update \
 && apt-get install --yes --no-install-recommends binutils python3 python3-venv
WORKDIR /opt/linkwatch
COPY requirements.txt .
RUN python3 -m venv .venv \
 && .venv/bin/pip install --no-cache-dir --disable-pip-version-check --no-compile --require-hashes -r requirements.txt
COPY . .
# Remove what the product does not need: installers, translations, symbols and sources in other languages. With byte code
# it starts in half the time.
RUN .venv/bin/pip uninstall --yes --quiet setuptools; .venv/bin/pip uninstall --yes --quiet pip \
 && find .venv -path '*/locale/*' ! -path '*/locale/en/*' -name '*.[mp]o' -delete \
 && find .venv -name '*.map' -o -regex '.*\.\([ch]\|cpp\|py[xi]\|pxd\)' | xargs rm \
 && find .venv \( -name '*.so' -o -name '*.so.*' \) -type f -exec strip --strip-unneeded {} + \
 && python3 -m compileall -q -j 0 .

FROM ${BASE}
RUN apt-get update \
 && apt-get install --yes --no-install-recommends ca-certificates libstdc++6 python3 \
 && rm -rf /var/lib/apt/lists/* /var/cache/* /var/log/* \
 && useradd --uid 10001 --no-create-home --home-dir /data linkwatch \
 && install --directory --mode 0700 --owner linkwatch --group linkwatch /data
COPY --from=build /opt/linkwatch /opt/linkwatch
WORKDIR /opt/linkwatch
USER 10001:10001
ENV DATA_DIR=/data HTTP_HOST=0.0.0.0 PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD [".venv/bin/python", "-c", "import http.client, os; web = http.client.HTTPConnection(os.environ['HTTP_HOST'], os.environ.get('HTTP_PORT', 8080), timeout=4); web.request('GET', '/readyz'); exit(web.getresponse().status != 200)"]
ENTRYPOINT [".venv/bin/python", "manage.py"]
CMD ["up"]
