"""Checks 20,000 targets on 2,000 loopback hosts, with stored results, compared with plain clients.

The peers fetch the same URLs from the same nginx immediately afterwards and store nothing: aiohttp
in one process without reuse of connections; linkinator and lychee, if they are on the PATH or set
by LINKINATOR and LYCHEE. BENCH_DATABASE=sqlite: on SQLite, with one process. Over TLS:
check_https.py.
"""

from _checking import PROCESSES, checks, delete_targets, make_due, register, run_workers
from _peers import aiohttp_run, linkinator_run, lychee_run
from _sites import nginx
from harness import report, sized

from tests.ports import free_port

HOSTS = [f"127.20.{n // 250}.{n % 250 + 1}" for n in range(sized(2000, toy=20))]
TARGETS_PER_HOST = 10


def _rate_of_first_checks() -> float:
    """Return the rate of the first checks of URLs of which half redirect.

    A redirect to a host that is busy is followed later, after a pause.
    """
    from django.db.models import Count, Max, Min, Q

    from checker.models import CheckResult

    halves = Q(target__url__contains="/stay/") | Q(target__url__contains="/away/")
    first = CheckResult.objects.filter(halves).values("target").annotate(at=Min("checked_at"))
    totals = first.aggregate(number=Count("at"), start=Min("at"), end=Max("at"))
    seconds: float = (totals["end"] - totals["start"]).total_seconds()
    return int(totals["number"]) / seconds


def main() -> None:
    with checks(), nginx(HOSTS, free_port()) as sites:
        from checker.models import CheckResult

        urls = sites.urls(TARGETS_PER_HOST)
        register(urls[: len(HOSTS)])
        small = run_workers()
        register(urls[len(HOSTS) :])
        ours = run_workers()
        persisted = CheckResult.objects.count()
        make_due(HOSTS)
        again = run_workers()
        register(sites.urls_half_redirected(TARGETS_PER_HOST))
        redirected = run_workers()
        redirected_rate = _rate_of_first_checks()
        away = CheckResult.objects.exclude(redirects=[])
        followed = away.filter(outcome="success").count() / away.count()
        delete_targets()
        register(sites.urls(TARGETS_PER_HOST, "large/"))
        first_large = run_workers()
        make_due(HOSTS)
        large = run_workers()
        bare = aiohttp_run(urls)
        linkinator = linkinator_run(sites)
        lychee = lychee_run(urls)
    ratio = {
        "of bare aiohttp": ours.rate / bare.rate,
        "half redirect to other hosts, of plain": redirected_rate / ours.rate,
        "CPU, plain, of half redirecting": ours.cpu_ms / redirected.cpu_ms,
        "RSS at 20,000 to 2,000 targets": ours.rss_mb / small.rss_mb,
        "30 KiB pages to small ones, both known": large.rate / again.rate,
    }
    peer = {"aiohttp, GETs/s": bare.rate, "aiohttp, CPU of a GET, ms": bare.cpu_ms}
    for name, run in {"linkinator": linkinator, "lychee": lychee}.items():
        if run is not None:
            peer |= {f"{name}, links/s": run.rate, f"{name}, CPU of a link, ms": run.cpu_ms}
            ratio[f"of {name}, which keeps nothing"] = ours.rate / run.rate
    report(
        "check",
        {
            f"checks/s, {PROCESSES} processes, persisted": ours.rate,
            "CPU of a check, ms, in both": ours.cpu_ms,
            "CPU of a check, ms, in PostgreSQL": ours.database_ms,
            "checks in that run": ours.checks,
            "checks/s of the same pages again": again.rate,
            "CPU of one of those, ms, in both": again.cpu_ms,
            "checks/s of 30 KiB pages, seen first": first_large.rate,
            "checks/s of 30 KiB pages again": large.rate,
            "results persisted": persisted,
            "checks/s where half redirect": redirected_rate,
            "CPU of one of those checks, ms, in both": redirected.cpu_ms,
            "redirects followed at once": followed,
            "RSS of a process, MB (goal < 150)": ours.rss_mb,
        },
        peer=peer,
        ratio=ratio,
        goal={
            "of bare aiohttp": "≥ 1.0",
            "half redirect to other hosts, of plain": "≥ 0.7",
            "of linkinator, which keeps nothing": "≥ 2",
            "RSS at 20,000 to 2,000 targets": "flat",
            "30 KiB pages to small ones, both known": "≥ 0.7",
        },
    )


if __name__ == "__main__":
    main()
