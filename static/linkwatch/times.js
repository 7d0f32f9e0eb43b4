// Times to the minute as the reader's language has them: in the zone that the account says, else in
// the browser's. Without this they are in UTC.
"use strict";

const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;

const writers = new Map();

function writersOf(timeZone) {
  if (!writers.has(timeZone)) {
    writers.set(timeZone, [
      new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short", timeZone }),
      new Intl.DateTimeFormat("en", { timeZoneName: "short", timeZone }),
    ]);
  }
  return writers.get(timeZone);
}

for (const time of document.querySelectorAll("time[data-clock]")) {
  const at = new Date(time.dateTime);
  const [write, zone] = writersOf(time.dataset.clock || own);
  const name = zone.formatToParts(at).find((part) => part.type === "timeZoneName").value;
  time.textContent = `${write.format(at)} ${name}`;
}
