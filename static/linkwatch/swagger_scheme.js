// Sets Swagger's class for dark colors according to the system's preference.
"use strict";

const dark = matchMedia("(prefers-color-scheme: dark)");
const choose = () => document.documentElement.classList.toggle("dark-mode", dark.matches);

dark.addEventListener("change", choose);
choose();
