"""`/targets/{id}/results/{id}/report`: reports a result as wrong."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from accounts.actors import actor_of
from checker import reports
from checker.models import ResultReport
from foundation.database.clock import database_now
from foundation.http.errors import ApiError
from foundation.http.permissions import PermittedPage
from targets.notes import may_act
from targets.views import get_target


class ReportPage(PermittedPage):
    """Asks what is wrong with a result, then reports the result to operators."""

    permission_required = (
        "targets.view_target",
        "checker.view_checkresult",
        "targets.add_reference",
    )

    def get(self, request: HttpRequest, target_id: str, result_id: int) -> HttpResponse:
        target, by = get_target(target_id), actor_of(request)
        result = reports.find_result(target, result_id)
        if not may_act(target, by):
            raise Http404
        context = {
            "target": target,
            "result": result,
            "report": reports.find_report(result, by),
            "max_comment_length": ResultReport.COMMENT_LENGTH,
            "now": database_now(),
        }
        return render(request, "console/target/report.html", context)

    def post(self, request: HttpRequest, target_id: str, result_id: int) -> HttpResponse:
        target, by = get_target(target_id), actor_of(request)
        result = reports.find_result(target, result_id)
        comment = request.POST.get("comment", "").strip()[: ResultReport.COMMENT_LENGTH]
        comment = comment.replace("\0", "")
        try:
            _, is_new = reports.report(target, result, comment, now=database_now(), by=by)
        except ApiError as error:
            messages.warning(request, error.message)
        else:
            thanks = "Thank you. An operator will review your report."
            sentence = thanks if is_new else "You have already reported this result."
            messages.success(request, sentence)
        return redirect(target)
