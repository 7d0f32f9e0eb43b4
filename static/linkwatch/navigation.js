// The header of every page behind sign-in: / focuses the search; Escape or a click outside closes menus.
// Sends the browser's time zone to the server in a cookie.
"use strict";

// Nothing is declared outside a function: the browsable API writes each answer into the same window.
document.cookie = `zone=${new Intl.DateTimeFormat().resolvedOptions().timeZone}; path=/; max-age=31536000; samesite=lax`;
addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    const menu = document.activeElement.closest("details.menu[open]");
    if (menu) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  }
  const isTyping = event.target.closest("input, select, textarea, [contenteditable]");
  if (event.key !== "/" || isTyping || event.ctrlKey || event.altKey || event.metaKey) return;
  const seek = document.getElementById("seek");
  const field = seek?.checkVisibility() ? seek : document.querySelector("main [role=search] input:not([type=hidden])");
  if (!field) return;
  event.preventDefault();
  field.focus();
});

addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});

addEventListener("focusin", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});
