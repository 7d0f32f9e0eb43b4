// Updates a page until it is complete. Without this script the browser reloads it.
"use strict";

const EVERY = 2000; // milliseconds

async function renew() {
  try {
    const answer = await fetch(location.href, { headers: { accept: "text/html" } });
    if (answer.status >= 500) throw new Error(answer.status); // a restart, for example
    if (!answer.ok) return;
    const next = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!next.querySelector("script[src*=refresh]")) {
      location.reload(); // it is complete
      return;
    }
    const [old, part] = [document, next].map((page) => page.querySelector("[data-renew]"));
    if (old.innerHTML !== part.innerHTML && !old.contains(document.activeElement)) {
      old.replaceWith(part);
    }
  } catch {
    // the next poll tries again
  }
  setTimeout(renew, EVERY);
}

setTimeout(renew, EVERY);
