"""`run_web` that remembers what it has nearby for an hour, unless it is told to forget."""

import os

import django
from django.core.management import call_command

if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "linkwatch.settings"
    django.setup()
    from shortener import local_cache

    local_cache.LIFE = 3600 * 10**9
    call_command("run_web")
