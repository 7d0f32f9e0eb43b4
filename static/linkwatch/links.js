// A link's page: its copy and share buttons. Without this the address is still there to be selected.
"use strict";

const told = document.querySelector("[data-told]");

function tell(text) {
  told.textContent = text;
  setTimeout(() => (told.textContent = ""), 3000);
}

async function copy(field) {
  field.select();
  if (navigator.clipboard) {
    return navigator.clipboard.writeText(field.value);
  }
  if (!document.execCommand("copy")) { // a page without TLS has no clipboard
    throw new Error("refused");
  }
}

function offer(button, act, done, failed) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await act();
      tell(done);
    } catch (error) {
      tell(error.name === "AbortError" ? "" : failed); // somebody thought better of it
    }
  });
}

const field = document.querySelector("#address");
field.addEventListener("focus", () => field.select());
offer(
  document.querySelector("[data-copy]"),
  () => copy(field),
  "Copied",
  "The browser does not allow copying",
);
if (navigator.share) {
  const button = document.querySelector("[data-share]");
  offer(button, () => navigator.share({ url: button.dataset.share }), "", "It could not be shared");
}
