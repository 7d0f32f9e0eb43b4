// A list with checkboxes: counts them, and selects all of a page. Without this script a link does.
"use strict";

const boxes = [...document.querySelectorAll(".pick input:not(:disabled)")];
const count = document.querySelector("[data-count]");
const all = document.querySelector("[data-choose]");

function tell() {
  const chosen = boxes.filter((box) => box.checked).length;
  if (boxes.length) count.textContent = `${chosen} selected`;
  if (all) all.textContent = chosen === boxes.length ? "Clear selection" : "Select all on this page";
}

for (const box of boxes) box.addEventListener("change", tell);
all?.addEventListener("click", (event) => {
  event.preventDefault();
  const isOn = boxes.some((box) => !box.checked);
  for (const box of boxes) box.checked = isOn;
  tell();
});
addEventListener("pageshow", tell); // a browser may restore the selection
