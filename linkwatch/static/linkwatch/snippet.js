// The snippet's page: its count as it changes, and the copy button. Without this it is a still page.
"use strict";

const HEARTBEAT = 30000; // ms between questions whether the other end is still there
const PATIENCE = 10000; // ms for its answer
const FIRST_PAUSE = 1000; // ms before coming back, doubled each time, and never the same for all
const LONGEST_PAUSE = 30000;

function follow(place) {
  const id = place.dataset.live;
  const count = place.querySelector("[data-count]");
  const state = place.querySelector("[data-state]");
  const address = `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/ws/live/?ids=${id}`;
  let socket, heartbeat, verdict, retry, attempts = 0;

  function show(name, text) {
    place.dataset.is = name;
    state.textContent = text;
  }

  function connect() {
    clearTimeout(retry);
    socket = new WebSocket(address);
    verdict = setTimeout(leave, PATIENCE);
    socket.onmessage = hear;
    socket.onclose = leave;
  }

  function hear(event) {
    const message = JSON.parse(event.data);
    clearTimeout(verdict);
    clearTimeout(heartbeat);
    heartbeat = setTimeout(ask, HEARTBEAT);
    if (message.counts && id in message.counts) {
      count.textContent = message.counts[id].toLocaleString("en");
    }
    attempts = 0;
    show("live", "live");
  }

  function ask() {
    socket.send(JSON.stringify({ subscribe: [id] })); // answered with a snapshot
    verdict = setTimeout(leave, PATIENCE);
  }

  function leave() {
    clearTimeout(verdict);
    clearTimeout(heartbeat);
    clearTimeout(retry);
    socket.onmessage = socket.onclose = null;
    socket.close();
    show("stale", navigator.onLine ? "not live, reconnecting" : "not live, offline");
    const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** attempts++);
    retry = setTimeout(connect, pause * (0.5 + Math.random() / 2));
  }

  addEventListener("online", () => place.dataset.is === "stale" && connect());
  addEventListener("offline", leave);
  connect();
}

async function copy(content) {
  if (navigator.clipboard) {
    return navigator.clipboard.writeText(content.textContent);
  }
  getSelection().selectAllChildren(content); // a page without TLS has no clipboard
  document.execCommand("copy");
  getSelection().removeAllRanges();
}

function offerCopy(button, content, told) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await copy(content);
      told.textContent = "Copied";
    } catch {
      told.textContent = "The browser does not let it be copied";
    }
    setTimeout(() => (told.textContent = ""), 3000);
  });
}

const place = document.querySelector("[data-live]");
follow(place);
offerCopy(
  document.querySelector("[data-copy]"),
  document.querySelector("[data-content]"),
  document.querySelector("[data-copied]"),
);
