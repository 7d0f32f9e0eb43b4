"""Pages for public lists: all lists, a new list, a list with its badge, and its deletion."""

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from accounts.account_pages import ActorPage
from console.public_lists.forms import PublicListChangeForm, PublicListCreationForm
from foundation.database.clock import database_now
from foundation.http.errors import ApiError
from foundation.http.pagination import KeysetPagination
from targets import public_lists
from targets.models import PublicList

_LISTS_PER_PAGE = 50


class PublicListsPage(ActorPage):
    """The user's lists (operators and viewers see everybody's), and the lists in PUBLIC_LISTS."""

    permission_required = "targets.view_publiclist"

    def get(self, request: HttpRequest) -> HttpResponse:
        pages, token = KeysetPagination(), request.GET.get("page_token")
        lists = self.actor.reach(PublicList.objects.select_related("owner"))
        try:
            rows = pages.take(lists, limit=_LISTS_PER_PAGE, token=token)
        except ApiError as error:
            raise Http404(error.message) from None
        context = {
            "rows": rows,
            "configured_lists": settings.PUBLIC_LISTS if token is None else {},
            "sees_all": self.actor.sees_all,
            "is_first": token is None,
            "next_page_token": pages.next_page_token,
        }
        return render(request, "console/public_lists/list.html", context)


class PublicListCreationPage(ActorPage):
    """Creates a public list."""

    permission_required = ("targets.view_publiclist", "targets.add_publiclist")

    def get(self, request: HttpRequest) -> HttpResponse:
        return self._show(PublicListCreationForm(by=self.actor))

    def post(self, request: HttpRequest) -> HttpResponse:
        form, by = PublicListCreationForm(request.POST, by=self.actor), self.actor
        if not form.is_valid():
            return self._show(form)
        draft = {"reference_prefix": "", **form.cleaned_data}
        try:
            created = public_lists.create_list(draft, now=database_now(), by=by)
        except ApiError as error:
            form.show_error(error)
            return self._show(form)
        messages.success(request, "Anyone can now see this list.")
        return redirect(created)

    def _show(self, form: PublicListCreationForm) -> HttpResponse:
        return render(self.request, "console/public_lists/new.html", {"form": form})


class _OneListPage(ActorPage):
    permission_required: tuple[str, ...] = ("targets.view_publiclist",)

    def public_list(self) -> PublicList:
        """Return the list in the URL, if the user may see it; raises Http404."""
        try:
            return public_lists.find_list(self.kwargs["name"], by=self.actor)
        except ApiError as error:
            raise Http404(error.message) from None


class PublicListPage(_OneListPage):
    """A list: its URL and badge to copy, and the form that changes its references."""

    def get(self, request: HttpRequest, name: str) -> HttpResponse:
        public_list = self.public_list()
        initial = {"reference_prefix": public_list.prefix, "version": public_list.version}
        return self._show(public_list, PublicListChangeForm(initial=initial))

    def post(self, request: HttpRequest, name: str) -> HttpResponse:
        if not request.user.has_perm("targets.change_publiclist"):
            return self.handle_no_permission()
        public_list, form = self.public_list(), PublicListChangeForm(request.POST)
        if not form.is_valid():
            return self._show(public_list, form)
        changes = {"reference_prefix": form.cleaned_data["reference_prefix"]}
        version = form.cleaned_data["version"]
        try:
            public_lists.change_list(
                name, changes, now=database_now(), by=self.actor, version=version
            )
        except ApiError as error:
            if error.code == "version_mismatch":
                error = ApiError(
                    "changed", "This list was changed while you had it open. Open it again."
                )
            form.show_error(error)
            return self._show(public_list, form)
        messages.success(request, "Saved. The page and the badge will be updated within a minute.")
        return redirect(public_list)

    def _show(self, public_list: PublicList, form: PublicListChangeForm) -> HttpResponse:
        url = f"{settings.BASE_URL}/public/{public_list.name}"
        context = {
            "public_list": public_list,
            "form": form,
            "address": url,
            "markdown": f"[![Links]({url}.svg)]({url})",
            "is_mine": public_list.owner_id == self.request.user.pk,
            "is_shown": PublicList.objects.shown().filter(pk=public_list.pk).exists(),
            "is_overridden": public_list.name in settings.PUBLIC_LISTS,
        }
        return render(self.request, "console/public_lists/page.html", context)


class PublicListDeletionPage(_OneListPage):
    """Asks for confirmation, then deletes a list."""

    permission_required = ("targets.view_publiclist", "targets.delete_publiclist")

    def get(self, request: HttpRequest, name: str) -> HttpResponse:
        public_list = self.public_list()
        context = {
            "question": "Delete this public list?",
            "subject": f"{settings.BASE_URL}/public/{public_list.name}",
            "sentences": [
                "Its page and badge will stop working immediately wherever they are used.",
                "Linkwatch will keep watching its links.",
            ],
            "button": "Delete",
            "back": public_list.get_absolute_url(),
        }
        return render(request, "linkwatch/confirm.html", context)

    def post(self, request: HttpRequest, name: str) -> HttpResponse:
        try:
            public_lists.delete_list(name, now=database_now(), by=self.actor)
        except ApiError as error:
            raise Http404(error.message) from None
        messages.success(request, f"Deleted: {name}")
        return redirect("lists")
