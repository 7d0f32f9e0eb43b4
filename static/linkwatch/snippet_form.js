// A snippet's form: shows the size during typing, and accepts dropped files. Without this script
// the server checks the size, and files are chosen in the form.
"use strict";

const text = document.querySelector("textarea[data-most]");
const file = document.querySelector("input[type=file]");
const hint = document.querySelector(`#${text.id}_helptext`);
const most = Number(text.dataset.most);
const said = hint.textContent;

function tellSize() {
  const size = new TextEncoder().encode(text.value).length;
  hint.textContent = size ? `${size.toLocaleString("en")} of ${most.toLocaleString("en")} bytes.` : said;
  hint.classList.toggle("error", size > most);
}

function take(dropped) {
  const chosen = new DataTransfer();
  chosen.items.add(dropped);
  file.files = chosen.files;
  file.focus();
}

text.addEventListener("input", tellSize);
text.addEventListener("dragover", (event) => event.preventDefault());
text.addEventListener("drop", (event) => {
  if (event.dataTransfer.files.length) {
    event.preventDefault();
    take(event.dataTransfer.files[0]);
  }
});
tellSize();
