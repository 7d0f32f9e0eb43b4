// Updates a target's page live, and runs its buttons without a reload. Without this script the
// buttons reload the page.
"use strict";

const LONG_ENOUGH = 10000; // ms for which the result of a button is shown

const { target, span, zone } = board.dataset;
const statusLine = document.querySelector("[data-status]");
let seen = board.dataset.seen; // a mark of what the page shows, which is not sent again
let isLive = false, silence;

function hear(message) {
  if (message.type === "page") {
    setClock(Date.parse(message.now));
    placeAll(message.sections);
    offer(new Set(message.offered));
    seen = "";
  } else if (message.type === "stale") {
    show("stale", "not updating");
  } else if (message.type === "gone") {
    location.reload();
  }
}

function offer(names) {
  const focused = document.activeElement.closest?.("[data-operation]");
  for (const button of document.querySelectorAll("[data-operation]")) button.hidden = !names.has(button.dataset.operation);
  if (focused?.hidden) document.querySelector(".buttons [data-operation]:not([hidden]) button")?.focus();
}

function show(name, text) {
  isLive = name === "live";
  document.querySelector("[data-refresh]").hidden = isLive;
  say(name, text);
}

function tell({ is, message }) {
  const item = document.createElement("span");
  item.dataset.is = is;
  item.textContent = message;
  statusLine.replaceChildren(item);
  clearTimeout(silence);
  silence = setTimeout(() => statusLine.replaceChildren(), LONG_ENOUGH);
}

async function press(event) {
  const form = event.currentTarget;
  if (!isLive) return; // the page is not updated
  event.preventDefault();
  try {
    const answer = await fetch(form.action, { method: "POST", body: new FormData(form), headers: { Accept: "application/json" }, redirect: "manual" });
    if (!answer.ok) throw new Error(answer.status);
    tell(await answer.json());
  } catch {
    form.submit(); // on any error, let the server show a page
  }
}

for (const form of document.querySelectorAll("form[data-operation]")) form.addEventListener("submit", press);
follow(() => `/ws/target/?id=${target}&span=${span}&zone=${encodeURIComponent(zone)}&seen=${seen}`, { hear, show, lost: lookForSignIn, quiet: QUIET, question: () => ({ subscribe: [] }) });
