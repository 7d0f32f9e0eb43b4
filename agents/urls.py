"""The URL for agents."""

from django.urls import path

from agents.views import MCPView

urlpatterns = [path("mcp", MCPView.as_view())]
