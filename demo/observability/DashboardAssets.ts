// The inline style and script of the dashboard.
import { every } from "./History.ts"

export const style = `
:root { color-scheme: light dark; --ground: #f6f5f1; --card: #fff; --ink: #1c1d22; --faint: #5d606b; --line: #d9d7cf;
  --line0: #2f4fd0; --line1: #b25a00; --line2: #a3205f; --bad: #a3201d; }
@media (prefers-color-scheme: dark) { :root { --ground: #15161b; --card: #1e2027; --ink: #e9e9ee; --faint: #a4a8b5;
  --line: #353843; --line0: #9db2ff; --line1: #f0b069; --line2: #f59ac6; --bad: #ffb0a8; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 84rem; padding: 1.25rem; font: 100%/1.5 system-ui, sans-serif;
  background: var(--ground); color: var(--ink); }
h1 { margin: 0; font-size: 1.6rem; letter-spacing: -0.02em; }
h2 { margin: 0; font-size: 1rem; }
.faint { margin: 0 0 1rem; color: var(--faint); }
#stale { margin: 0.5rem 0; color: var(--bad); font-weight: 600; }
.charts { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 22rem), 1fr)); }
.card { margin: 0; padding: 1rem; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
.legend { margin: 0.15rem 0 0.5rem; display: flex; flex-wrap: wrap; gap: 0 1rem; font-size: 0.875rem; color: var(--faint); }
.legend b { color: var(--ink); font-variant-numeric: tabular-nums; }
.key { display: inline-block; width: 0.9em; height: 0.25em; margin-right: 0.35em; vertical-align: middle; border-radius: 2px; }
.key.line0 { background: var(--line0); } .key.line1 { background: var(--line1); } .key.line2 { background: var(--line2); }
svg { display: block; width: 100%; height: auto; }
svg text { font-size: 13px; fill: var(--faint); font-variant-numeric: tabular-nums; }
.grid { stroke: var(--line); stroke-width: 1; }
.line { fill: none; stroke-width: 1.8; stroke-linejoin: round; stroke-linecap: round; }
path.line0 { stroke: var(--line0); } path.line1 { stroke: var(--line1); stroke-dasharray: 6 3; }
path.line2 { stroke: var(--line2); stroke-dasharray: 1.5 3; }
`

/** The path of the socket. */
export const live = "/metrics/dashboard/live"

// The server renders, the browser only displays: what the socket pushes, and without a socket, as behind a proxy that has
// none, the page itself, fetched again. A socket that had opened is tried again once the page has been fetched.
export const script = `
const stale = document.getElementById("stale")
const interval = ${every * 1000}
let heard = 0
let mayListen = true
const show = (text) => {
  const page = new DOMParser().parseFromString(text, "text/html")
  document.querySelector("main").replaceWith(page.querySelector("main"))
  stale.hidden = true
}
const listen = () => {
  mayListen = false
  const socket = new WebSocket(location.origin.replace("http", "ws") + "${live}")
  socket.onmessage = ({ data }) => {
    heard = Date.now()
    show(data)
  }
  socket.onclose = () => {
    mayListen = heard > 0
    heard = 0
  }
}
const refresh = async () => {
  try {
    const response = await fetch(location.href, { cache: "no-store", redirect: "error" })
    if (!response.ok) throw new Error(String(response.status))
    show(await response.text())
    if (mayListen) listen()
  } catch {
    stale.hidden = false
  }
}
setInterval(() => { if (!document.hidden && Date.now() - heard > 3 * interval) refresh() }, interval)
listen()
`
