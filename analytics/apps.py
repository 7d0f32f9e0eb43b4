from foundation import app


class AnalyticsConfig(app.App):
    name = "analytics"
    # Events that a full buffer dropped before they reached the stream.
    counters = ("events_dropped",)
    gauges = ("websocket_clients",)
