// The snippet's page: its live count and the copy button. Without this script it is a static page.
"use strict";

function followCount(place) {
  const id = place.dataset.live;
  const count = place.querySelector("[data-count]");
  const state = place.querySelector("[data-state]");
  follow(() => `/ws/live/?ids=${id}`, {
    question: () => ({ subscribe: [id] }), // answered with a snapshot
    hear(message) {
      if (message.counts && id in message.counts) {
        count.textContent = message.counts[id].toLocaleString("en");
      }
    },
    show(name, text) {
      place.dataset.is = name;
      state.textContent = text;
    },
  });
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
      told.textContent = "Your browser doesn't allow copying";
    }
    setTimeout(() => (told.textContent = ""), 3000);
  });
}

const live = document.querySelector("[data-live]"); // a private or revealed snippet has none
if (live) followCount(live);
offerCopy(
  document.querySelector("[data-copy]"),
  document.querySelector("[data-content]"),
  document.querySelector("[data-copied]"),
);
