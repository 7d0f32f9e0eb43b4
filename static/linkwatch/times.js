// Shows times to the minute in the format of the reader's language, in the zone of the account or
// else of the browser. Without this script they are in UTC.
"use strict";

const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;

const formats = new Map();

function formatsOf(timeZone) {
  if (!formats.has(timeZone)) {
    formats.set(timeZone, [
      new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short", timeZone }),
      new Intl.DateTimeFormat("en", { timeZoneName: "short", timeZone }),
    ]);
  }
  return formats.get(timeZone);
}

for (const time of document.querySelectorAll("time[data-clock]")) {
  const at = new Date(time.dateTime);
  const [write, zone] = formatsOf(time.dataset.clock || own);
  const name = zone.formatToParts(at).find((part) => part.type === "timeZoneName").value;
  time.textContent = `${write.format(at)} ${name}`;
}
