"""The admin's theme, in the colors of our own pages: scales of gray and of the accent color."""

from django.conf import settings

UNFOLD = {
    "SITE_TITLE": "Linkwatch",
    "SITE_HEADER": "Linkwatch",
    "SITE_ICON": lambda request: f"{settings.STATIC_URL}linkwatch/mark.svg",
    "SITE_FAVICONS": [
        {
            "rel": "icon",
            "type": "image/svg+xml",
            "href": lambda request: f"{settings.STATIC_URL}linkwatch/mark.svg",
        }
    ],
    "STYLES": [lambda request: f"{settings.STATIC_URL}linkwatch/admin.css"],
    "SCRIPTS": [lambda request: f"{settings.STATIC_URL}linkwatch/admin.js"],
    "DASHBOARD_CALLBACK": "console.admin.index.overview",
    "SIDEBAR": {"navigation": "console.admin.index.navigation"},
    "COLORS": {
        "base": {
            "50": "#f6f7f5",
            "100": "#eef0ed",
            "200": "#d8dcd9",
            "300": "#bfc7c4",
            "400": "#9eabb0",
            "500": "#6b777e",
            "600": "#55606a",
            "700": "#3a444a",
            "800": "#2c3438",
            "900": "#101416",
            "950": "#0b0e10",
        },
        "primary": {
            "50": "#eefaf7",
            "100": "#d5f2ea",
            "200": "#aee4d7",
            "300": "#7dd3bf",
            "400": "#4fbaa5",
            "500": "#2c9c87",
            "600": "#0b7263",
            "700": "#0b675a",
            "800": "#0a5248",
            "900": "#08443c",
            "950": "#042722",
        },
        "font": {"subtle-light": "var(--color-base-600)"},  # 500 is too light on gray
    },
}
