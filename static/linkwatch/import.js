// Forms for importing links: keeps the links of a pasted page, whose plain text lacks them, and
// reports an upload that is too large before it is sent. Without this script, paste the source.
"use strict";

const text = document.querySelector("textarea[name=text]");
const file = document.querySelector("input[type=file]");
const kind = document.querySelector("select[name=kind]");

text.addEventListener("paste", (event) => {
  const page = event.clipboardData.getData("text/html");
  const plain = event.clipboardData.getData("text/plain");
  if (!/<a\s[^<>]*href/i.test(page) || plain.includes("://")) return;
  event.preventDefault();
  text.setRangeText(page, text.selectionStart, text.selectionEnd, "end");
  if (kind) kind.value = "html"; // otherwise the server detects the format
});

function judge(field, size) {
  field.setCustomValidity(size > Number(field.dataset.most) ? field.dataset.tooLarge : "");
}

text.addEventListener("input", () => judge(text, new TextEncoder().encode(text.value).length));
file.addEventListener("change", () => judge(file, file.files[0]?.size ?? 0));
