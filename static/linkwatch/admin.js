// Adds missing accessible names to the admin's theme, for screen readers.
"use strict";

addEventListener("load", () => setTimeout(() => { // after Django's own scripts
  document.getElementById("nav-sidebar-inner")?.setAttribute("aria-label", "Admin");
  document.querySelectorAll(".simplebar-content-wrapper").forEach((region, at) => {
    region.setAttribute("aria-label", region.closest("nav") ? "Lists" : `Scrollable content ${at + 1}`);
  });
  for (const hint of document.querySelectorAll(".help-tooltip")) hint.setAttribute("role", "img");
}));
