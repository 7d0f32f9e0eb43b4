// A WebSocket that comes back by itself, and says whether what one sees is live.
"use strict";

const HEARTBEAT = 30000; // ms without a message after which the other end is asked whether it is there, unless `quiet` says
const PATIENCE = 10000; // ms for its answer
const FIRST_PAUSE = 1000; // ms before coming back, doubled each time, and never the same for all
const LONGEST_PAUSE = 30000;

// `path` returns where to connect to; `hear` gets each message; `question` returns one that is always
// answered; `show` is told "live" or "stale" with words for it. Returns a function that sends a message, if there is a connection.
function follow(path, { hear, question, show, lost = () => {}, quiet = HEARTBEAT }) {
  const origin = `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}`;
  let socket, heartbeat, verdict, retry, attempts = 0, isLive = false;

  function connect() {
    drop(); // "online" may come while another attempt is under way
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
