"""The access table: for each address, the result for each kind of user.

`ok`: allowed, `in`: asked to sign in, 403: refused, 404: as if the object did not exist. Columns:

stranger, who has not signed in · a member, for their own objects and for another member's · a
viewer and an operator, for a member's objects · a program (a service user with all rights), for
objects without an owner and for a member's · the app whose token opens the address: `open` needs
none, `whole` (the whole deployment) accepts no token for one app, `tools` (of agents, each of which
requires its own scope: tests/agents) accepts any; `-` takes no tokens.
"""

from typing import NamedTuple


class Row(NamedTuple):
    method: str
    path: str
    stranger: str
    own: str
    other: str
    viewer: str
    operator: str
    program: str
    program_other: str
    scope: str


_ROUTES = """
# the columns of Row:                                      str own oth vie ope pro p/o scope
# Signing in, one's account
GET    /account                                            in  ok  ok  ok  ok  ok  ok  -
GET    /account/delete                                     in  ok  ok  ok  ok  ok  ok  -
POST   /account/delete                                     in  ok  ok  ok  ok  ok  ok  -
GET    /account/export                                     in  ok  ok  ok  ok  ok  ok  -
GET    /account/invitations                                in  403 403 403 ok  403 403 -
POST   /account/invitations                                in  403 403 403 ok  403 403 -
POST   /account/invitations/{pk}/withdraw                  in  403 403 403 ok  403 403 -
GET    /account/password                                   in  ok  ok  ok  ok  ok  ok  -
POST   /account/password                                   in  ok  ok  ok  ok  ok  ok  -
GET    /account/people                                     in  403 403 403 ok  403 403 -
GET    /account/people/{pk}                                in  403 403 403 ok  403 403 -
POST   /account/people/{pk}                                in  403 403 403 ok  403 403 -
GET    /account/reset                                      ok  ok  ok  ok  ok  ok  ok  -
POST   /account/reset                                      ok  ok  ok  ok  ok  ok  ok  -
GET    /account/reset/sent                                 ok  ok  ok  ok  ok  ok  ok  -
GET    /account/reset/{uidb36}-{key}                       404 404 404 404 404 404 404 -
POST   /account/reset/{uidb36}-{key}                       404 404 404 404 404 404 404 -
GET    /account/saves                                      in  ok  ok  ok  ok  ok  ok  -
POST   /account/saves                                      in  ok  ok  ok  ok  ok  ok  -
GET    /account/teams                                      in  403 403 403 ok  403 403 -
POST   /account/teams                                      in  403 403 403 ok  403 403 -
GET    /account/teams/{pk}                                 in  403 403 403 ok  403 403 -
POST   /account/teams/{pk}                                 in  403 403 403 ok  403 403 -
GET    /account/teams/{pk}/delete                          in  403 403 403 ok  403 403 -
POST   /account/teams/{pk}/delete                          in  403 403 403 ok  403 403 -
GET    /account/teams/{pk}/members                         in  403 403 403 ok  403 403 -
POST   /account/teams/{pk}/members                         in  403 403 403 ok  403 403 -
GET    /account/teams/{pk}/members/{user}/remove           in  403 403 403 ok  403 403 -
POST   /account/teams/{pk}/members/{user}/remove           in  403 403 403 ok  403 403 -
GET    /account/tokens                                     in  ok  ok  ok  ok  ok  ok  -
POST   /account/tokens                                     in  ok  ok  ok  ok  ok  ok  -
POST   /account/tokens/revoke                              in  ok  ok  ok  ok  ok  ok  -
GET    /account/two-step                                   in  ok  ok  ok  ok  ok  ok  -
POST   /account/two-step                                   in  ok  ok  ok  ok  ok  ok  -
GET    /account/zone                                       in  ok  ok  ok  ok  ok  ok  -
POST   /account/zone                                       in  ok  ok  ok  ok  ok  ok  -
GET    /admin                                              ok  ok  ok  ok  ok  ok  ok  -
GET    /admin/login/                                       in  in  in  in  in  in  in  -
POST   /admin/logout/                                      in  in  in  in  in  in  in  -
GET    /admin/password_change/                             ok  ok  ok  ok  ok  ok  ok  -
GET    /invitations/{secret}                               ok  ok  ok  ok  ok  ok  ok  -
POST   /invitations/{secret}                               ok  ok  ok  ok  ok  ok  ok  -
GET    /sign-in                                            ok  ok  ok  ok  ok  ok  ok  -
POST   /sign-in                                            ok  ok  ok  ok  ok  ok  ok  -
GET    /sign-in/code                                       in  ok  ok  ok  ok  ok  ok  -
POST   /sign-in/code                                       in  ok  ok  ok  ok  ok  ok  -
GET    /sign-in/oidc                                       404 404 404 404 404 404 404 -
GET    /sign-in/oidc/callback                              404 404 404 404 404 404 404 -
POST   /sign-in/oidc/logout                                404 404 404 404 404 404 404 -
GET    /sign-in/oidc/signed-out                            404 404 404 404 404 404 404 -
POST   /sign-out                                           in  in  in  in  in  in  in  -
# Pages
GET    /                                                   in  ok  ok  ok  ok  ok  ok  -
GET    /changes                                            in  ok  ok  ok  ok  ok  ok  -
GET    /repairs                                            in  ok  ok  ok  ok  ok  ok  -
POST   /repairs/accept                                     in  ok  ok  403 ok  ok  ok  -
GET    /repairs/accept                                     in  ok  ok  403 ok  ok  ok  -
GET    /repairs/accepted                                   in  ok  ok  ok  ok  ok  ok  -
GET    /repairs/accepted/export                            in  ok  ok  ok  ok  ok  ok  -
GET    /repairs/accepted/{pk}/undo                         in  ok  ok  403 ok  ok  ok  -
POST   /repairs/accepted/{pk}/undo                         in  ok  404 403 ok  ok  404 -
GET    /repairs/export                                     in  ok  ok  ok  ok  ok  ok  -
GET    /changes/feed                                       in  ok  ok  403 ok  403 403 -
POST   /changes/feed                                       in  ok  ok  403 ok  403 403 -
GET    /check-links                                        in  ok  ok  403 ok  ok  ok  -
POST   /check-links                                        in  ok  ok  403 ok  ok  ok  -
GET    /check-links/{batch_id}                             in  ok  404 ok  ok  ok  404 -
GET    /check-links/{batch_id}/watch                       in  ok  404 403 ok  ok  404 -
POST   /check-links/{batch_id}/watch                       in  ok  404 403 ok  ok  404 -
GET    /find                                               in  ok  ok  ok  ok  ok  ok  -
POST   /find                                               in  ok  ok  403 ok  ok  ok  -
GET    /history                                            ok  ok  ok  ok  ok  ok  ok  -
GET    /hosts                                              in  ok  ok  ok  ok  ok  ok  -
GET    /hosts/{host}                                       in  ok  ok  ok  ok  ok  ok  -
GET    /hosts/{host}/edit                                  in  403 403 403 ok  ok  ok  -
POST   /hosts/{host}/edit                                  in  403 403 403 ok  ok  ok  -
GET    /hosts/{host}/favicon.png                           in  ok  ok  ok  ok  ok  ok  -
GET    /hosts/{host}/pause                                 in  403 403 403 ok  ok  ok  -
POST   /hosts/{host}/pause                                 in  403 403 403 ok  ok  ok  -
GET    /hosts/{host}/resume                                in  403 403 403 ok  ok  ok  -
POST   /hosts/{host}/resume                                in  403 403 403 ok  ok  ok  -
GET    /links                                              in  ok  ok  ok  ok  ok  ok  -
GET    /links/export                                       in  ok  ok  ok  ok  ok  ok  -
GET    /links/import                                       in  ok  ok  403 ok  ok  ok  -
POST   /links/import                                       in  ok  ok  403 ok  ok  ok  -
GET    /links/new                                          in  ok  ok  403 ok  ok  ok  -
POST   /links/new                                          in  ok  ok  403 ok  ok  ok  -
GET    /links/{key}                                        in  ok  404 ok  ok  ok  404 -
GET    /links/{key}/delete                                 in  ok  404 403 ok  ok  404 -
POST   /links/{key}/delete                                 in  ok  404 403 ok  ok  404 -
GET    /links/{key}/edit                                   in  ok  404 403 ok  ok  404 -
POST   /links/{key}/edit                                   in  ok  404 403 ok  ok  404 -
GET    /links/{key}/end                                    in  ok  404 403 ok  ok  404 -
POST   /links/{key}/end                                    in  ok  404 403 ok  ok  404 -
GET    /links/{key}/qr.{kind}                              in  ok  404 ok  ok  ok  404 -
GET    /links/{key}/revive                                 in  ok  404 403 ok  ok  404 -
POST   /links/{key}/revive                                 in  ok  404 403 ok  ok  404 -
GET    /shares                                             in  ok  ok  ok  ok  403 403 -
GET    /shares/new                                         in  ok  ok  403 ok  403 403 -
POST   /shares/new                                         in  ok  ok  403 ok  403 403 -
GET    /shares/{share_id}                                  in  ok  404 ok  ok  403 403 -
POST   /shares/{share_id}                                  in  ok  404 403 ok  403 403 -
GET    /shares/{share_id}/end                              in  ok  404 403 ok  403 403 -
POST   /shares/{share_id}/end                              in  ok  404 403 ok  403 403 -
GET    /lists                                              in  ok  ok  ok  ok  ok  ok  -
GET    /lists/new                                          in  ok  ok  403 ok  ok  ok  -
POST   /lists/new                                          in  ok  ok  403 ok  ok  ok  -
GET    /lists/{name}                                       in  ok  404 ok  ok  ok  404 -
POST   /lists/{name}                                       in  ok  404 403 ok  ok  404 -
GET    /lists/{name}/end                                   in  ok  404 403 ok  ok  404 -
POST   /lists/{name}/end                                   in  ok  404 403 ok  ok  404 -
GET    /new                                                in  ok  ok  ok  ok  ok  ok  -
GET    /oembed                                             404 404 404 404 404 404 404 -
GET    /public/{name}                                      ok  ok  ok  ok  ok  ok  ok  -
GET    /public/{name}.svg                                  ok  ok  ok  ok  ok  ok  ok  -
GET    /targets/import                                     in  ok  ok  403 ok  ok  ok  -
POST   /targets/import                                     in  ok  ok  403 ok  ok  ok  -
GET    /outages                                            in  ok  ok  ok  ok  ok  ok  -
GET    /targets                                            in  ok  ok  ok  ok  ok  ok  -
GET    /targets/export                                     in  ok  ok  ok  ok  ok  ok  -
GET    /targets/selected                                   in  ok  ok  ok  ok  ok  ok  -
POST   /targets/selected                                   in  ok  ok  403 ok  ok  ok  -
GET    /targets/selected/undo                              in  ok  ok  ok  ok  ok  ok  -
POST   /targets/selected/undo                              in  ok  ok  ok  ok  ok  ok  -
GET    /targets/{target_id}                                in  ok  ok  ok  ok  ok  ok  -
GET    /targets/{target_id}/accept                         in  403 403 403 ok  ok  ok  -
POST   /targets/{target_id}/accept                         in  403 403 403 ok  ok  ok  -
GET    /targets/{target_id}/delete                         in  403 403 403 ok  ok  ok  -
POST   /targets/{target_id}/delete                         in  403 403 403 ok  ok  ok  -
GET    /targets/{target_id}/note                           in  ok  ok  403 ok  ok  ok  -
POST   /targets/{target_id}/note                           in  ok  ok  403 ok  ok  ok  -
GET    /targets/{target_id}/edit                           in  403 403 403 ok  ok  ok  -
POST   /targets/{target_id}/edit                           in  403 403 403 ok  ok  ok  -
GET    /targets/{target_id}/propose                        in  ok  ok  403 ok  ok  ok  -
POST   /targets/{target_id}/propose                        in  ok  ok  403 ok  ok  ok  -
GET    /targets/{target_id}/refer                          in  ok  ok  403 ok  ok  ok  -
POST   /targets/{target_id}/refer                          in  ok  ok  403 ok  ok  ok  -
GET    /targets/{target_id}/results/{result_id}/report     in  ok  ok  403 ok  ok  ok  -
POST   /targets/{target_id}/results/{result_id}/report     in  ok  ok  403 ok  ok  ok  -
GET    /targets/{target_id}/unregister                     in  ok  404 403 ok  ok  404 -
POST   /targets/{target_id}/unregister                     in  ok  404 403 ok  ok  404 -
GET    /targets/{target_id}/watch-new                      in  ok  ok  403 ok  ok  ok  -
POST   /targets/{target_id}/watch-new                      in  ok  ok  403 ok  ok  ok  -
GET    /targets/{target_id}/{operation}                    in  403 403 403 ok  ok  ok  -
POST   /targets/{target_id}/{operation}                    in  403 403 403 ok  ok  ok  -
GET    /trends                                             in  ok  ok  ok  ok  ok  ok  -
GET    /queue                                              in  ok  ok  ok  ok  ok  ok  -
GET    /snippets                                           in  ok  ok  ok  ok  ok  ok  -
GET    /snippets/new                                       in  ok  ok  403 ok  ok  ok  -
POST   /snippets/new                                       in  ok  ok  403 ok  ok  ok  -
GET    /snippets/{pk}/delete                               in  ok  404 403 ok  ok  404 -
POST   /snippets/{pk}/delete                               in  ok  404 403 ok  ok  404 -
GET    /snippets/{pk}/details                              in  ok  404 ok  ok  ok  404 -
GET    /snippets/{pk}/edit                                 in  ok  404 403 ok  ok  404 -
POST   /snippets/{pk}/edit                                 in  ok  404 403 ok  ok  404 -
GET    /snippets/{pk}/reveal                               ok  ok  ok  ok  ok  ok  ok  -
POST   /snippets/{pk}/reveal                               ok  ok  ok  ok  ok  ok  ok  -
GET    /snippets/{pk}/versions/{number}                    in  ok  404 403 ok  ok  404 -
POST   /snippets/{pk}/versions/{number}                    in  ok  404 403 ok  ok  404 -
# Targets, checks, references, events
GET    /v1/events                                          401 ok  ok  ok  ok  ok  ok  targets
DELETE /v1/references                                      401 ok  404 403 ok  ok  404 targets
GET    /v1/batches                                         401 ok  ok  ok  ok  ok  ok  batches
POST   /v1/batches                                         401 ok  ok  403 ok  ok  ok  batches
DELETE /v1/batches/{pk}                                    401 ok  404 403 ok  ok  404 batches
GET    /v1/batches/{pk}                                    401 ok  404 ok  ok  ok  404 batches
GET    /v1/lookups                                         401 ok  ok  ok  ok  ok  ok  lookups
POST   /v1/lookups                                         401 ok  ok  ok  ok  ok  ok  lookups
POST   /v1/scans                                    401 ok  ok  403 ok  ok  ok  targets
GET    /v1/scans/{pk}                               401 ok  404 ok  ok  ok  404 targets
POST   /v1/scans/{pk}/finish                        401 ok  404 403 ok  ok  404 targets
GET    /v1/shares                                   401 ok  ok  ok  ok  403 403 targets
POST   /v1/shares                                   401 ok  ok  403 ok  403 403 targets
DELETE /v1/shares/{share_id}                        401 ok  404 403 ok  403 403 targets
GET    /v1/shares/{share_id}                        401 ok  404 ok  ok  403 403 targets
PATCH  /v1/shares/{share_id}                        401 ok  404 403 ok  403 403 targets
GET    /v1/lists                                    401 ok  ok  ok  ok  ok  ok  targets
POST   /v1/lists                                    401 ok  ok  403 ok  ok  ok  targets
DELETE /v1/lists/{name}                             401 ok  404 403 ok  ok  404 targets
GET    /v1/lists/{name}                             401 ok  404 ok  ok  ok  404 targets
PATCH  /v1/lists/{name}                             401 ok  404 403 ok  ok  404 targets
GET    /v1/references                                      401 ok  ok  ok  ok  ok  ok  targets
POST   /v1/references                                      401 ok  ok  403 ok  ok  ok  targets
GET    /v1/outages                                         401 ok  ok  ok  ok  ok  ok  targets
GET    /v1/repairs                                         401 ok  ok  ok  ok  ok  ok  targets
POST   /v1/repairs                                         401 ok  ok  403 ok  ok  ok  targets
GET    /v1/repairs/accepted                                401 ok  ok  ok  ok  ok  ok  targets
POST   /v1/repairs/accepted/{pk}/undo                      401 ok  404 403 ok  ok  404 targets
GET    /v1/repairs/references                              401 ok  ok  ok  ok  ok  ok  targets
GET    /v1/targets                                         401 ok  ok  ok  ok  ok  ok  targets
PATCH  /v1/targets                                         401 403 403 403 ok  ok  ok  targets
POST   /v1/targets                                         401 ok  ok  403 ok  ok  ok  targets
POST   /v1/targets/bulk                                    401 ok  ok  403 ok  ok  ok  targets
DELETE /v1/targets/{pk}                                    401 403 403 403 ok  ok  ok  targets
GET    /v1/targets/{pk}                                    401 ok  ok  ok  ok  ok  ok  targets
PATCH  /v1/targets/{pk}                                    401 403 403 403 ok  ok  ok  targets
POST   /v1/targets/{pk}/check                              401 ok  ok  403 ok  ok  ok  targets
GET    /v1/targets/{target_id}/references                  401 ok  ok  ok  ok  ok  ok  targets
DELETE /v1/targets/{target_id}/references/{reference_id}   401 ok  404 403 ok  ok  404 targets
GET    /v1/targets/{target_id}/references/{reference_id}   401 ok  404 ok  ok  ok  404 targets
PUT    /v1/targets/{target_id}/references/{reference_id}   401 ok  ok  403 ok  ok  ok  targets
GET    /v1/targets/{target_id}/results                     401 ok  ok  ok  ok  ok  ok  targets
GET    /v1/targets/{target_id}/results/{result_id}         401 ok  ok  ok  ok  ok  ok  targets
GET    /v1/targets/{target_id}/results/{result_id}/report  401 ok  ok  404 ok  ok  ok  targets
POST   /v1/targets/{target_id}/results/{result_id}/report  401 ok  ok  403 ok  ok  ok  targets
GET    /v1/targets/{target_id}/transitions                 401 ok  ok  ok  ok  ok  ok  targets
# Hosts
GET    /v1/aliases                                         401 ok  ok  ok  ok  ok  ok  hosts
DELETE /v1/aliases/{alias}                                 401 403 403 403 ok  ok  ok  hosts
GET    /v1/aliases/{alias}                                 401 ok  ok  ok  ok  ok  ok  hosts
PUT    /v1/aliases/{alias}                                 401 403 403 403 ok  ok  ok  hosts
GET    /v1/hosts                                           401 ok  ok  ok  ok  ok  ok  hosts
POST   /v1/hosts/release                                   401 403 403 403 ok  ok  ok  hosts
POST   /v1/hosts/reserve                                   401 403 403 403 ok  ok  ok  hosts
POST   /v1/hosts/schedule                                  401 403 403 403 ok  ok  ok  hosts
DELETE /v1/hosts/{host}                                    401 403 403 403 ok  ok  ok  hosts
GET    /v1/hosts/{host}                                    401 ok  ok  ok  ok  ok  ok  hosts
PUT    /v1/hosts/{host}                                    401 403 403 403 ok  ok  ok  hosts
POST   /v1/hosts/{host}/extend                             401 403 403 403 ok  ok  ok  hosts
POST   /v1/hosts/{host}/release                            401 403 403 403 ok  ok  ok  hosts
POST   /v1/hosts/{host}/reserve                            401 403 403 403 ok  ok  ok  hosts
# Short links
GET    /api/admin/cleanup/stats                            401 403 403 ok  ok  ok  ok  links
GET    /v1/urls                                            401 ok  ok  ok  ok  ok  ok  links
POST   /v1/urls                                            401 ok  ok  403 ok  ok  ok  links
POST   /v1/urls/bulk                                       401 ok  ok  403 ok  ok  ok  links
POST   /v1/urls/bulk/delete                                401 ok  ok  403 ok  ok  ok  links
DELETE /v1/urls/{key}                                      401 ok  404 403 ok  ok  404 links
GET    /v1/urls/{key}                                      401 ok  404 ok  ok  ok  404 links
PATCH  /v1/urls/{key}                                      401 ok  404 403 ok  ok  404 links
GET    /v1/urls/{key}/metrics                              401 ok  404 ok  ok  ok  404 links
GET    /v1/urls/{key}/qr.svg                               401 ok  404 ok  ok  ok  404 links
# Snippets
GET    /v1/snippets                                        401 ok  ok  ok  ok  ok  ok  snippets
POST   /v1/snippets                                        401 ok  ok  403 ok  ok  ok  snippets
POST   /v1/snippets/bulk/delete                            401 ok  ok  403 ok  ok  ok  snippets
DELETE /v1/snippets/{pk}                                   401 ok  404 403 ok  ok  404 snippets
GET    /v1/snippets/{pk}                                   ok  ok  ok  ok  ok  ok  ok  open
PATCH  /v1/snippets/{pk}                                   401 ok  404 403 ok  ok  404 snippets
GET    /v1/snippets/{pk}/metrics                           ok  ok  ok  ok  ok  ok  ok  open
GET    /v1/snippets/{pk}/raw                               ok  ok  ok  ok  ok  ok  ok  open
POST   /v1/snippets/{pk}/reveal                            ok  ok  ok  ok  ok  ok  ok  open
# Teams: of those that a member is in, and of those that another one is in
GET    /v1/teams                                           401 ok  ok  ok  ok  403 403 whole
POST   /v1/teams                                           401 403 403 403 ok  403 403 whole
GET    /v1/teams/{team_id}                                 401 ok  404 ok  ok  403 403 whole
PATCH  /v1/teams/{team_id}                                 401 403 403 403 ok  403 403 whole
DELETE /v1/teams/{team_id}                                 401 403 403 403 ok  403 403 whole
PUT    /v1/teams/{team_id}/members/{username}              401 403 403 403 ok  403 403 whole
DELETE /v1/teams/{team_id}/members/{username}              401 403 403 403 ok  403 403 whole
# Channels
GET    /account/channels                                   in  ok  ok  ok  ok  403 403 -
GET    /account/channels/new                               in  ok  ok  403 ok  403 403 -
POST   /account/channels/new                               in  ok  ok  403 ok  403 403 -
GET    /account/channels/{channel_id}                      in  ok  404 ok  ok  403 403 -
GET    /account/channels/{channel_id}/confirm              in  ok  404 403 ok  403 403 -
POST   /account/channels/{channel_id}/confirm              in  ok  404 403 ok  403 403 -
GET    /account/channels/{channel_id}/delete               in  ok  404 403 ok  403 403 -
POST   /account/channels/{channel_id}/delete               in  ok  404 403 ok  403 403 -
GET    /account/channels/{channel_id}/deliveries           in  ok  404 ok  ok  403 403 -
GET    /account/channels/{channel_id}/deliveries/{number}  in  ok  404 ok  ok  403 403 -
GET    /account/channels/{channel_id}/deliveries/{number}/redeliver in  ok  404 403 ok  403 403 -
POST   /account/channels/{channel_id}/deliveries/{number}/redeliver in  ok  404 403 ok  403 403 -
GET    /account/channels/{channel_id}/edit                 in  ok  404 403 ok  403 403 -
POST   /account/channels/{channel_id}/edit                 in  ok  404 403 ok  403 403 -
GET    /account/channels/{channel_id}/pause                in  ok  404 403 ok  403 403 -
POST   /account/channels/{channel_id}/pause                in  ok  404 403 ok  403 403 -
GET    /account/channels/{channel_id}/redeliver            in  ok  404 403 ok  403 403 -
POST   /account/channels/{channel_id}/redeliver            in  ok  404 403 ok  403 403 -
GET    /account/channels/{channel_id}/resume               in  ok  404 403 ok  403 403 -
POST   /account/channels/{channel_id}/resume               in  ok  404 403 ok  403 403 -
GET    /account/channels/{channel_id}/rotate               in  ok  404 403 ok  403 403 -
POST   /account/channels/{channel_id}/rotate               in  ok  404 403 ok  403 403 -
GET    /account/channels/{channel_id}/subscriptions/new    in  ok  404 403 ok  403 403 -
POST   /account/channels/{channel_id}/subscriptions/new    in  ok  404 403 ok  403 403 -
GET    /account/channels/{channel_id}/subscriptions/{pk}   in  ok  404 403 ok  403 403 -
POST   /account/channels/{channel_id}/subscriptions/{pk}   in  ok  404 403 ok  403 403 -
GET    /account/channels/{channel_id}/subscriptions/{pk}/delete in  ok  404 403 ok  403 403 -
POST   /account/channels/{channel_id}/subscriptions/{pk}/delete in  ok  404 403 ok  403 403 -
GET    /account/channels/{channel_id}/test                 in  ok  404 403 ok  403 403 -
POST   /account/channels/{channel_id}/test                 in  ok  404 403 ok  403 403 -
GET    /confirm/{token}                                    ok  ok  ok  ok  ok  ok  ok  -
POST   /confirm/{token}                                    ok  ok  ok  ok  ok  ok  ok  -
GET    /feeds/{token}.atom                                 ok  ok  ok  ok  ok  ok  ok  -
GET    /feeds/{token}.json                                 ok  ok  ok  ok  ok  ok  ok  -
GET    /unsubscribe/{token}                                ok  ok  ok  ok  ok  ok  ok  -
POST   /unsubscribe/{token}                                ok  ok  ok  ok  ok  ok  ok  -
GET    /v1/channels                                        401 ok  ok  ok  ok  403 403 channels
POST   /v1/channels                                        401 ok  ok  403 ok  403 403 channels
GET    /v1/channels/{channel_id}/deliveries                401 ok  404 ok  ok  403 403 channels
GET    /v1/channels/{channel_id}/deliveries/{number}       401 ok  404 ok  ok  403 403 channels
POST   /v1/channels/{channel_id}/deliveries/{number}/redeliver 401 ok  404 403 ok  403 403 channels
DELETE /v1/channels/{pk}                                   401 ok  404 403 ok  403 403 channels
GET    /v1/channels/{pk}                                   401 ok  404 ok  ok  403 403 channels
PATCH  /v1/channels/{pk}                                   401 ok  404 403 ok  403 403 channels
POST   /v1/channels/{pk}/confirm                           401 ok  404 403 ok  403 403 channels
POST   /v1/channels/{pk}/redeliver                         401 ok  404 403 ok  403 403 channels
POST   /v1/channels/{pk}/rotate                            401 ok  404 403 ok  403 403 channels
POST   /v1/channels/{pk}/test                              401 ok  404 403 ok  403 403 channels
GET    /v1/subscriptions                                   401 ok  ok  ok  ok  403 403 channels
POST   /v1/subscriptions                                   401 ok  404 403 ok  403 403 channels
DELETE /v1/subscriptions/{pk}                              401 ok  404 403 ok  403 403 channels
GET    /v1/subscriptions/{pk}                              401 ok  404 ok  ok  403 403 channels
PATCH  /v1/subscriptions/{pk}                              401 ok  404 403 ok  403 403 channels
# The whole deployment
GET    /.well-known/security.txt                           404 404 404 404 404 404 404 -
GET    /about/accessibility                                ok  ok  ok  ok  ok  ok  ok  -
GET    /about/checks                                       ok  ok  ok  ok  ok  ok  ok  -
GET    /about/privacy                                      ok  ok  ok  ok  ok  ok  ok  -
GET    /about/verdicts                                     ok  ok  ok  ok  ok  ok  ok  -
GET    /livez                                              ok  ok  ok  ok  ok  ok  ok  -
POST   /mcp                                                401 ok  ok  ok  ok  ok  ok  tools
GET    /metrics                                            ok  ok  ok  ok  ok  ok  ok  whole
GET    /readyz                                             ok  ok  ok  ok  ok  ok  ok  -
GET    /v1/                                                ok  ok  ok  ok  ok  ok  ok  open
GET    /v1/docs                                            ok  ok  ok  ok  ok  ok  ok  open
GET    /v1/health                                          ok  ok  ok  ok  ok  ok  ok  open
GET    /v1/metrics                                         401 403 403 ok  ok  ok  ok  whole
GET    /v1/reference                                       ok  ok  ok  ok  ok  ok  ok  -
GET    /v1/schema                                          ok  ok  ok  ok  ok  ok  ok  open
GET    /v1/stats                                           401 ok  ok  ok  ok  ok  ok  whole
GET    /v1/trending                                        401 403 403 ok  ok  ok  ok  whole
"""


# The same for a private snippet.
_PRIVATE = """
DELETE /v1/snippets/{pk}                                   401 ok  404 403 ok  ok  404 snippets
GET    /v1/snippets/{pk}                                   404 ok  404 404 ok  ok  404 open
PATCH  /v1/snippets/{pk}                                   401 ok  404 403 ok  ok  404 snippets
GET    /v1/snippets/{pk}/metrics                           404 ok  404 404 ok  ok  404 open
GET    /v1/snippets/{pk}/raw                               404 ok  404 404 ok  ok  404 open
POST   /v1/snippets/{pk}/reveal                            404 ok  404 404 ok  ok  404 open
"""

# Requests answered ahead of Django, by the part that answers, and WebSockets (403: no handshake).
_AHEAD = """
GET    /livez                                              ok  ok  ok  ok  ok  ok  ok  probe
GET    /readyz                                             ok  ok  ok  ok  ok  ok  ok  probe
GET    /v1/health                                          ok  ok  ok  ok  ok  ok  ok  probe
GET    /s/{key}                                            ok  ok  ok  ok  ok  ok  ok  short_link
GET    /s/{key}+                                           ok  ok  ok  ok  ok  ok  ok  short_link
GET    /v1/snippets/{snippet}                              ok  ok  ok  ok  ok  ok  ok  plain_read
GET    /v1/snippets/{snippet}/raw                          ok  ok  ok  ok  ok  ok  ok  plain_read
GET    /v1/snippets/{private}                              404 ok  404 404 ok  ok  404 plain_read
GET    /v1/snippets/{private}/raw                          404 ok  404 404 ok  ok  404 plain_read
GET    /snippets/{snippet}                                 ok  ok  ok  ok  ok  ok  ok  page
GET    /snippets/{snippet}/embed                           ok  ok  ok  ok  ok  ok  ok  page
GET    /snippets/{private}/embed                           404 404 404 404 404 404 404 page
GET    /snippets/{private}                                 404 ok  404 404 ok  ok  404 page
WS     /ws/live/                                           ok  ok  ok  ok  ok  ok  ok  -
WS     /ws/dashboard/                                      403 ok  ok  ok  ok  ok  ok  -
WS     /ws/target/                                         403 ok  ok  ok  ok  ok  ok  -
"""


def rows() -> list[Row]:
    """Return a row for each address that Django answers."""
    return _read(_ROUTES)


def private_rows() -> list[Row]:
    """Return the rows of private snippets."""
    return _read(_PRIVATE)


def rows_ahead() -> list[Row]:
    """Return a row for each address answered ahead of Django; `scope` names the answering part."""
    return _read(_AHEAD)


def _read(table: str) -> list[Row]:
    lines = (line.split() for line in table.splitlines() if line and line[0] != "#")
    return [Row(*line) for line in lines]
