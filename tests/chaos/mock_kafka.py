"""Run librdkafka's mock cluster and print its address: `python -m tests.chaos.mock_kafka TOPIC`."""

import signal
import sys

from tests.kafka.broker import MockBroker

if __name__ == "__main__":
    broker = MockBroker()
    broker.make_topic(sys.argv[1])
    print(broker.address, flush=True)
    signal.pause()
