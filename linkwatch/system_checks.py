"""System checks: report mistakes at start-up that would cause failures later."""

import os
import resource
import stat
import sys
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.http.request import validate_host
from django.utils.module_loading import import_string

from checker import user_agent
from linkwatch.environment import SUPERVISED_VARIABLE, join_words, misspelled
from linkwatch.logs import PROCESSES
from linkwatch.schedules import jobs
from targets.event_payload import event_builder
from targets.flags import FLAGS, NEVER_FAILING

_OTHER_FILES = 64  # open sockets and files of a process that are not for checks


@register(Tags.compatibility)
def check_schedules(**kwargs: Any) -> list[CheckMessage]:
    """Find scheduled functions that do not exist: django-q2 would fail every time."""
    messages: list[CheckMessage] = []
    for job in jobs():
        try:
            import_string(job.function)
        except ImportError as error:
            messages.append(Error(f"Schedule “{job.name}”: {error}", id="linkwatch.E001"))
    return messages


@register(Tags.compatibility)
def check_conditions(**kwargs: Any) -> list[CheckMessage]:
    """Find CHECK_CONDITIONS that can't be imported or called: every check with them would fail."""
    messages: list[CheckMessage] = []
    for name, path in settings.CHECK_CONDITIONS.items():
        try:
            function = import_string(path)
        except Exception as error:  # noqa: BLE001 - an operator's module may raise anything
            problem = str(error) or type(error).__name__
        else:
            problem = "" if callable(function) else "it is not a function"
        if problem:
            text = f"CHECK_CONDITIONS: {name}={path} cannot be used ({problem})."
            messages.append(Error(text, id="linkwatch.E003"))
    return messages


@register(Tags.compatibility)
def check_failing_flags(**kwargs: Any) -> list[CheckMessage]:
    """Find flags in FAILING_FLAGS that do not exist or never fail a check.

    With CHECK_CONDITIONS, nothing is found, because such conditions may set any flag.
    """
    valid = [flag for flag in FLAGS if flag not in NEVER_FAILING]
    unknown = set(settings.FAILING_FLAGS) - set(valid)
    if not unknown or settings.CHECK_CONDITIONS:
        return []
    suffix = " that can fail a check" if unknown <= FLAGS.keys() else ""
    names = join_words(sorted(unknown), "and")
    kind = f"is not a flag{suffix}" if len(unknown) == 1 else f"are not flags{suffix}"
    text = f"FAILING_FLAGS: {names} {kind}; use {join_words(valid)}."
    return [Error(text, id="linkwatch.E005")]


@register(Tags.compatibility)
def check_event_builder(**kwargs: Any) -> list[CheckMessage]:
    """Find an EVENT_BUILDER that can't be imported or called."""
    try:
        builder = event_builder()
    except ImportError as error:
        return [Error(f"EVENT_BUILDER: {error}", id="linkwatch.E004")]
    if builder is None or callable(builder):
        return []
    return [Error(f"EVENT_BUILDER: {settings.EVENT_BUILDER} can't be called.", id="linkwatch.E004")]


@register(Tags.compatibility)
def check_open_files_limit(**kwargs: Any) -> list[CheckMessage]:
    """Find a limit on open files that is too low for MAX_CONCURRENCY: each check opens a socket."""
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if limit == resource.RLIM_INFINITY or limit >= settings.MAX_CONCURRENCY + _OTHER_FILES:
        return []
    return [
        Error(
            f"MAX_CONCURRENCY={settings.MAX_CONCURRENCY} needs more open files than the limit "
            f"of {limit}.",
            hint="Raise the limit with `ulimit -n`.",
            id="linkwatch.E002",
        )
    ]


@register(Tags.security)
def check_data_dir_permissions(**kwargs: Any) -> list[CheckMessage]:
    """Find a DATA_DIR that is accessible to other users."""
    mode = stat.S_IMODE(settings.DATA_DIR.stat().st_mode)
    if SUPERVISED_VARIABLE in os.environ or not mode & 0o077:  # `up` has reported it
        return []
    return [
        Warning(
            f"DATA_DIR: {settings.DATA_DIR} is accessible to other users of this machine "
            f"({mode:o}).",
            hint=f"chmod 700 {settings.DATA_DIR}",
            id="linkwatch.W002",
        )
    ]


@register(Tags.compatibility)
def check_setting_names(**kwargs: Any) -> list[CheckMessage]:
    """In commands, find variables whose names resemble those of settings; processes log them."""
    if sys.argv[1:2] in [[name] for name in PROCESSES]:
        return []
    return [
        Warning(f"{name} is not a setting. Did you mean {meant}?", id="linkwatch.W004")
        for name, meant in misspelled(os.environ, settings.NAMES)
    ]


@register(Tags.urls, deploy=True)
def check_user_agent(**kwargs: Any) -> list[CheckMessage]:
    """Find a USER_AGENT whose URL points to localhost: for webmasters, that is their own machine.

    Processes warn when they check a public page (`checker.user_agent`).
    """
    if not user_agent.names_localhost():
        return []
    return [
        Warning(
            f"USER_AGENT names localhost: {settings.USER_AGENT}. Webmasters can't find out who "
            "is requesting their pages.",
            hint=user_agent.HINT,
            id="linkwatch.W003",
        )
    ]


@register(Tags.urls)
def check_base_url(**kwargs: Any) -> list[CheckMessage]:
    """Find a host of BASE_URL that ALLOWED_HOSTS refuses."""
    host = urlsplit(settings.BASE_URL).hostname or ""
    if validate_host(host, settings.ALLOWED_HOSTS):
        return []
    return [
        Warning(
            f"BASE_URL's host {host!r} is not in ALLOWED_HOSTS, so requests for it get a 400.",
            id="linkwatch.W001",
        )
    ]
