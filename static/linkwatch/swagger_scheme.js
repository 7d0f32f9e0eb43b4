// Swagger's dark colours are chosen by a class; ours by what the system asks for.
"use strict";

const dark = matchMedia("(prefers-color-scheme: dark)");
const choose = () => document.documentElement.classList.toggle("dark-mode", dark.matches);

dark.addEventListener("change", choose);
choose();
