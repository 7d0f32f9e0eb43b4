// A WebSocket that reconnects automatically, and reports whether the page is live.
"use strict";

const HEARTBEAT = 30000; // ms without a message after which the server is probed, unless `quiet` is set
const PATIENCE = 10000; // ms to wait for its answer
const FIRST_PAUSE = 1000; // ms before reconnecting, doubled each time, with jitter
const LONGEST_PAUSE = 30000;

// `path` returns the path to connect to; `hear` gets each message; `question` returns a message that
// is always answered; `show` gets "live" or "stale" with a text. Returns a function that sends a message if connected.
function follow(path, { hear, question, show, lost = () => {}, quiet = HEARTBEAT }) {
  const origin = `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}`;
  let socket, heartbeat, verdict, retry, attempts = 0, isLive = false;

  function connect() {
    drop(); // "online" may be fired during another attempt
    socket = new WebSocket(origin + path());
    verdict = setTimeout(leave, PATIENCE);
    socket.onmessage = take;
    socket.onclose = leave;
  }

  function take(event) {
    clearTimeout(verdict);
    clearTimeout(heartbeat);
    heartbeat = setTimeout(ask, quiet);
    attempts = 0;
    isLive = true;
    show("live", "live");
    hear(JSON.parse(event.data));
  }

  function ask() {
    send(question());
    verdict = setTimeout(leave, PATIENCE);
  }

  function send(message) {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  }

  function drop() {
    clearTimeout(verdict);
    clearTimeout(heartbeat);
    clearTimeout(retry);
    if (!socket) return;
    socket.onmessage = socket.onclose = null;
    socket.close();
  }

  function leave() {
    drop();
    isLive = false;
    show("stale", navigator.onLine ? "not live, reconnecting" : "not live, offline");
    const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** attempts++);
    retry = setTimeout(connect, pause * (0.5 + Math.random() / 2));
    lost(attempts);
  }

  addEventListener("online", () => isLive || connect());
  addEventListener("offline", leave);
  connect();
  return send;
}
