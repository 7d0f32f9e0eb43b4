"""The product's URLs, and an empty view with its authentication and permissions."""

from django.urls import include, path
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from targets.models import Target


class EmptyView(APIView):
    queryset = Target.objects.all()

    def post(self, request: Request) -> Response:
        return Response({}, status=201)


urlpatterns = [path("empty", EmptyView.as_view()), path("", include("linkwatch.urls"))]
