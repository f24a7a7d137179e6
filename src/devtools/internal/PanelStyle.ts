// What the development panel adds to the look of the debug page, and its script.

/** The style, inlined after that of the debug page. */
export const panelStyle = `
body.panel-page{border-top-color:var(--accent)}
.bar nav{display:flex;flex-wrap:wrap;gap:.3rem}
.bar nav a{text-decoration:none;font-weight:600;font-size:.92rem;padding:.4rem .8rem;border-radius:8px}
.bar nav a:hover{background:var(--accent-ground)}
.bar nav a[aria-current]{background:var(--accent-ground);color:var(--accent)}
.panel-page .tools{margin-left:auto}
.panel-page main{padding-top:1.8rem;padding-bottom:1rem}
.panel-page h1{font-size:clamp(1.25rem,1rem + 1vw,1.7rem);margin:0 0 1.2rem}
.panel-page h1 .pill{vertical-align:.2em;margin-right:.3rem}
.pill.good{background:light-dark(#e4f3e9,#16301f);color:var(--s)}
.list-card{overflow-x:auto;padding:.4rem 1.2rem .6rem}
.listing td,.listing th{padding:.5rem .6rem .5rem 0;vertical-align:middle}
.listing tbody td{border-top:1px solid var(--line)}
.listing thead th.request,.listing thead th.subject{width:auto}
.listing .when{width:6rem;white-space:nowrap}
.listing .sent{width:12rem}
.listing .status{width:6.4rem}
.listing td.number{padding-right:.6rem}
.listing .wide{width:7.4rem}
.listing a{font-weight:600;text-decoration-color:var(--line);text-underline-offset:.2em}
.listing a:hover{text-decoration-color:currentColor}
.listing .warn{color:var(--bad)}
.facts-card{padding:1rem 1.2rem;margin-bottom:1rem}
.mail-text{padding:1rem 1.2rem;white-space:pre-wrap;overflow-wrap:anywhere;font:.92rem/1.6 var(--mono)}
.mail-text a{color:var(--accent)}
iframe{display:block;width:100%;height:34rem;border:0;background:#fff;color-scheme:light}
.part-title{display:flex;gap:1rem;align-items:baseline;padding:1rem 1.2rem 0}
.part-title h2,.card>h2{margin:0;font-size:.8rem;letter-spacing:.05em;text-transform:uppercase;color:var(--faint);font-weight:650}
.part-title a{margin-left:auto;font-size:.85rem;color:var(--accent)}
.stack{display:grid;gap:1rem}
.stack .facts-card{margin:0}
@media (max-width:40rem){
  .listing .when,.listing .wide,.listing .sent{display:none}
  .listing{table-layout:auto}
  .listing .status,.listing td.number,.listing th.number{width:auto}
  .listing td.status{overflow-wrap:normal}
  .facts-card th{width:5rem}
  .list-card,.facts-card{padding-left:.9rem;padding-right:.9rem}
}
`

/** The script: the button for light and dark, which the debug page has as well. */
export const panelScript = `(() => {
"use strict"
const root = document.documentElement
const stored = () => { try { return localStorage.getItem("errors.theme") } catch { return null } }
if (["light", "dark"].includes(stored())) root.dataset.theme = stored()
document.getElementById("theme").addEventListener("click", () => {
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches
  root.dataset.theme = dark ? "light" : "dark"
  try { localStorage.setItem("errors.theme", root.dataset.theme) } catch {}
})
})()`
