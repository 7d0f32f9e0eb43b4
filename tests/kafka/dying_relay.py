"""`run_relay` that kills itself (SIGKILL) at one point: python -m tests.kafka.dying_relay POINT."""

import os
import signal
import sys
from typing import Any

import django
from django.core.management import call_command


def die(*_: object, **__: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def arm(point: str) -> None:
    """Set the trap: before a send, in a batch (half of it acknowledged), or before the mark."""
    from targets.events import leases
    from targets.models import Sink
    from targets.sinks import base, kafka

    if point == "before":
        kafka.KafkaSink.send = die  # type: ignore[method-assign]
    elif point == "between":
        mark = leases.advance

        def die_or_mark(sink: Sink, **how: Any) -> None:
            if sink.pk == "kafka":
                die()
            mark(sink, **how)

        leases.advance = die_or_mark
    else:
        whole = kafka.KafkaSink.send

        def half(sink: kafka.KafkaSink, messages: list[base.Message], **_: object) -> None:
            assert whole(sink, messages[: len(messages) // 2]) == [None] * (len(messages) // 2)
            for one in messages[len(messages) // 2 :]:
                sink._producer.send(
                    os.environ["KAFKA_TOPIC"], key=one.key, value=one.value, headers=one.headers
                )
            die()

        kafka.KafkaSink.send = half  # type: ignore[assignment,method-assign]


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "linkwatch.settings"
    django.setup()
    arm(sys.argv[1])
    call_command("run_relay")
