"""librdkafka's mock cluster as a process: `python -m tests.chaos.mock_kafka TOPIC` says where."""

import signal
import sys

from tests.kafka.broker import MockBroker

if __name__ == "__main__":
    broker = MockBroker()
    broker.make_topic(sys.argv[1])
    print(broker.address, flush=True)
    signal.pause()
