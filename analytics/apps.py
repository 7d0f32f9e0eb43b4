from foundation import app


class AnalyticsConfig(app.App):
    name = "analytics"
    counters = ("events_dropped",)  # by a full buffer, before they reached the stream
    gauges = ("websocket_clients",)
