from django.apps import AppConfig


class AnalyticsConfig(AppConfig):
    name = "linkwatch.analytics"
    label = "analytics"
    verbose_name = "Analytics"
