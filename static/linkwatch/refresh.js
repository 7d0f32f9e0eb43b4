// A page that is renewed until it is complete. Without this the browser reloads it.
"use strict";

const EVERY = 2000; // milliseconds

async function renew() {
  try {
    const answer = await fetch(location.href, { headers: { accept: "text/html" } });
    if (!answer.ok) return;
    const next = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!next.querySelector("script[src*=renew]")) {
      location.reload(); // it is complete
      return;
    }
    const [old, part] = [document, next].map((page) => page.querySelector("[data-renew]"));
    if (old.innerHTML !== part.innerHTML && !old.contains(document.activeElement)) {
      old.replaceWith(part);
    }
  } catch {
    // tried again
  }
  setTimeout(renew, EVERY);
}

setTimeout(renew, EVERY);
