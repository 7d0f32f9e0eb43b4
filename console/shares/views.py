"""Pages for shared references: all shares, a new share, a share to change, and its deletion."""

from copy import copy

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from accounts.account_pages import ActorPage
from accounts.models import ReferenceShare
from console.shares.forms import ShareChangeForm, ShareCreationForm
from foundation.database.clock import database_now
from foundation.http.errors import ApiError
from foundation.http.pagination import KeysetPagination
from targets import shares
from targets.share_views import ShareChangeSerializer, ShareDraftSerializer

_SHARES_PER_PAGE = 50


class SharesPage(ActorPage):
    """The user's shares, shares with the user's teams, and shares with everyone.

    Operators and viewers see all shares.
    """

    permission_required = "accounts.view_referenceshare"

    def get(self, request: HttpRequest) -> HttpResponse:
        pages, token = KeysetPagination(), request.GET.get("page_token")
        visible = self.actor.reach(ReferenceShare.objects.select_related("owner", "team"))
        try:
            rows = pages.take(visible, limit=_SHARES_PER_PAGE, token=token)
        except ApiError as error:
            raise Http404(error.message) from None
        context = {
            "rows": rows,
            "is_first": token is None,
            "next_page_token": pages.next_page_token,
        }
        return render(request, "console/shares/list.html", context)


class ShareCreationPage(ActorPage):
    """Creates a share."""

    permission_required = ("accounts.view_referenceshare", "accounts.add_referenceshare")

    def get(self, request: HttpRequest) -> HttpResponse:
        return self._show(ShareCreationForm(by=self.actor))

    def post(self, request: HttpRequest) -> HttpResponse:
        form = ShareCreationForm(request.POST, by=self.actor)
        if not form.is_valid():
            return self._show(form)
        draft = ShareDraftSerializer().run_validation(form.filled_in_fields(ShareDraftSerializer()))
        try:
            shares.create_share(draft, now=database_now(), by=self.actor)
        except ApiError as error:
            form.show_error(error)
            return self._show(form)
        messages.success(request, "Your references are now shared.")
        return redirect("shares")

    def _show(self, form: ShareCreationForm) -> HttpResponse:
        return render(self.request, "console/shares/new.html", {"form": form})


class _OneSharePage(ActorPage):
    permission_required: tuple[str, ...] = ("accounts.view_referenceshare",)

    def share(self) -> ReferenceShare:
        """Return the share in the URL, if the user may see it; raises Http404."""
        try:
            return shares.find_share(self.kwargs["share_id"], by=self.actor)
        except ApiError as error:
            raise Http404(error.message) from None

    def may_delete(self, share: ReferenceShare) -> bool:
        """Return whether the user may change the share, and owns it or is an operator."""
        is_responsible = share.owner == self.actor.owner or self.actor.is_operator
        return is_responsible and self.actor.may_change(share)


class SharePage(_OneSharePage):
    """A share: the owner, the recipients, and the form to change it."""

    def get(self, request: HttpRequest, share_id: int) -> HttpResponse:
        share = self.share()
        return self._show(share, self._form(share, initial={"version": share.version}))

    def post(self, request: HttpRequest, share_id: int) -> HttpResponse:
        share = self.share()
        is_permitted = request.user.has_perm("accounts.change_referenceshare")
        if not (is_permitted and self.actor.may_change(share)):
            return self.handle_no_permission()
        form = self._form(share, data=request.POST)
        if not form.is_valid():
            return self._show(share, form)
        serializer = ShareChangeSerializer()
        changes = serializer.run_validation(form.changed_fields(serializer))
        version = form.cleaned_data["version"]
        try:
            shares.change_share(
                share_id, changes, now=database_now(), by=self.actor, version=version
            )
        except ApiError as error:
            if error.code == "version_mismatch":
                error = ApiError(
                    "changed", "This share was changed while you had it open. Open it again."
                )
            form.show_error(error)
            return self._show(share, form)
        messages.success(request, "Saved.")
        return redirect("shares")

    def _form(self, share: ReferenceShare, **kwargs: object) -> ShareChangeForm:
        # A copy, because a ModelForm writes to its instance before validation is complete.
        return ShareChangeForm(instance=copy(share), by=self.actor, **kwargs)

    def _show(self, share: ReferenceShare, form: ShareChangeForm) -> HttpResponse:
        may_change = self.actor.may_change(share)
        context = {
            "share": share,
            "form": form,
            "is_mine": share.owner == self.request.user,
            "may_change": may_change,
            "may_delete": self.may_delete(share),
        }
        return render(self.request, "console/shares/page.html", context)


class ShareDeletionPage(_OneSharePage):
    """Asks for confirmation, then deletes a share."""

    permission_required = ("accounts.view_referenceshare", "accounts.delete_referenceshare")

    def get(self, request: HttpRequest, share_id: int) -> HttpResponse:
        share = self.share()
        if not self.may_delete(share):
            return self.handle_no_permission()
        context = {
            "question": "Stop sharing these references?",
            "subject": share.prefix or "All references",
            "sentences": [
                f"Afterwards, only {share.owner}, operators and viewers can see them,"
                " unless another share includes them."
            ],
            "button": "Stop sharing",
            "back": share.get_absolute_url(),
        }
        return render(request, "linkwatch/confirm.html", context)

    def post(self, request: HttpRequest, share_id: int) -> HttpResponse:
        try:
            shares.delete_share(share_id, now=database_now(), by=self.actor)
        except ApiError as error:
            if error.status_code == 403:
                return self.handle_no_permission()
            raise Http404(error.message) from None
        messages.success(request, "The references are no longer shared.")
        return redirect("shares")
