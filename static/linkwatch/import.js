// A page that is pasted where links are brought: with its links, which its text alone has not.
// Without this one chooses a file, or pastes the page's source.
"use strict";

const text = document.querySelector("textarea[name=text]");
const kind = document.querySelector("select[name=kind]");

text.addEventListener("paste", (event) => {
  const page = event.clipboardData.getData("text/html");
  const plain = event.clipboardData.getData("text/plain");
  if (!/<a\s[^<>]*href/i.test(page) || plain.includes("://")) return;
  event.preventDefault();
  text.setRangeText(page, text.selectionStart, text.selectionEnd, "end");
  kind.value = "html";
});
