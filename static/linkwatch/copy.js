// Buttons that copy a field. Without this script its text can still be selected.
"use strict";

const statusLine = document.querySelector("[data-status]");

function tell(text) {
  statusLine.textContent = text;
  setTimeout(() => (statusLine.textContent = ""), 3000);
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
      tell(error.name === "AbortError" ? "" : failed); // the user cancelled
    }
  });
}

for (const button of document.querySelectorAll("[data-copy]")) {
  const field = document.getElementById(button.dataset.copy);
  field.addEventListener("focus", () => field.select());
  offer(button, () => copy(field), "Copied", "Your browser doesn't allow copying");
}
