from foundation import app


class AnalyticsConfig(app.App):
    name = "analytics"
    # Events dropped before they reached the stream, usually because a buffer was full.
    counters = ("events_dropped",)
    gauges = ("websocket_clients",)
