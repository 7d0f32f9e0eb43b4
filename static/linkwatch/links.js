// A link's page: the share button, if the browser supports sharing. Uses copy.js.
"use strict";

if (navigator.share) {
  const button = document.querySelector("[data-share]");
  offer(button, () => navigator.share({ url: button.dataset.share }), "", "Sharing failed");
}
