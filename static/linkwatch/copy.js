// Copies what is shown once. Without this it is still there to be selected.
"use strict";

const told = document.querySelector("[data-told]");

async function copy(field) {
  field.select();
  if (navigator.clipboard) {
    return navigator.clipboard.writeText(field.value);
  }
  if (!document.execCommand("copy")) { // a page without TLS has no clipboard
    throw new Error("refused");
  }
}

for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await copy(document.getElementById(button.dataset.copy));
      told.textContent = "Copied";
    } catch {
      told.textContent = "The browser does not allow copying";
    }
  });
}
