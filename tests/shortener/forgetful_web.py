"""`run_web` that keeps its local cache for an hour unless a message clears it."""

import os

import django
from django.core.management import call_command

if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "linkwatch.settings"
    django.setup()
    from shortener import local_cache

    local_cache.LIFE = 3600 * 10**9
    call_command("run_web")
