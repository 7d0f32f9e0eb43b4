"""`run_relay` that kills itself (SIGKILL) at POINT: python -m tests.kafka.dying_relay POINT."""

import os
import signal
import sys
from typing import Any

import django
from django.core.management import call_command


def die(*_: object, **__: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def arm(point: str) -> None:
    """Patch the relay to kill itself at POINT.

    The points: before a send, in a batch (half of it acknowledged), or before storing the position.
    """
    from outbox import cursors, kafka
    from outbox.messages import Message
    from outbox.models import Cursor

    if point == "before":
        kafka.KafkaReader.send = die  # type: ignore[method-assign]
    elif point == "between":
        mark = cursors.advance

        def die_or_mark(cursor: Cursor, *what: Any, **how: Any) -> None:
            if cursor.pk == "kafka":
                die()
            mark(cursor, *what, **how)

        cursors.advance = die_or_mark
    else:
        whole = kafka.KafkaReader.send

        def half(sink: kafka.KafkaReader, messages: list[Message]) -> None:
            assert whole(sink, messages[: len(messages) // 2]) == [None] * (len(messages) // 2)
            for one in messages[len(messages) // 2 :]:
                sink._producer.send(
                    os.environ["KAFKA_TOPIC"], key=one.key, value=one.value, headers=one.headers
                )
            die()

        kafka.KafkaReader.send = half  # type: ignore[assignment,method-assign]


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "linkwatch.settings"
    django.setup()
    arm(sys.argv[1])
    call_command("run_relay")
