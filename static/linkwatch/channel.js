// A channel's page: shows the result of a test next to its button. Without this script the button
// reloads the page, which has a Refresh link.
"use strict";

const POLL = 1000; // ms between polls for the result of a test
const PATIENCE = 10000; // ms until a Refresh link is shown

const test = document.querySelector("[data-test]");
const result = document.getElementById("test-result");
let until = 0;

async function load(url, options) {
  const answer = await fetch(url, options);
  if (!answer.ok) throw new Error(answer.status);
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

function place(page) {
  const refused = page.querySelector(".messages [data-is=warning]");
  for (const id of ["test-result", "sent"]) {
    const [here, there] = [document.getElementById(id), page.getElementById(id)];
    if (!here || !there || here.contains(document.activeElement)) continue;
    if (here.textContent !== there.textContent) here.replaceChildren(...there.childNodes);
  }
  if (refused) result.textContent = refused.textContent;
  follow();
}

function follow() {
  const isWaiting = result.querySelector("[data-waiting]") !== null;
  const refresh = result.querySelector("[data-refresh]");
  if (refresh) refresh.hidden = Date.now() < until;
  if (isWaiting && Date.now() < until) setTimeout(look, POLL);
}

async function look() {
  try {
    place(await load(test.dataset.test));
  } catch {
    until = 0;
    follow();
  }
}

async function send(event) {
  event.preventDefault();
  until = Date.now() + PATIENCE;
  result.textContent = "Sending the test…";
  try {
    place(await load(test.action, { method: "POST", body: new FormData(test) }));
  } catch {
    test.submit(); // on any error, let the server show a page
  }
}

if (test) {
  test.addEventListener("submit", send);
  until = Date.now() + PATIENCE;
  follow();
}
