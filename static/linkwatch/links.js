// A link's page: its share button, where the browser can share. Builds on copy.js.
"use strict";

if (navigator.share) {
  const button = document.querySelector("[data-share]");
  offer(button, () => navigator.share({ url: button.dataset.share }), "", "Sharing failed");
}
