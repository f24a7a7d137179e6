// The script of the debug page: selects frames, copies the error, opens an editor. Sends nothing.

/** The script, inlined under a nonce. */
export const script = `(() => {
"use strict"
const root = document.documentElement
const all = (selector, within = document) => Array.from(within.querySelectorAll(selector))
const one = (selector, within = document) => within.querySelector(selector)
const keep = (name, value) => { try { localStorage.setItem("errors." + name, value) } catch {} }
const stored = (name) => { try { return localStorage.getItem("errors." + name) } catch { return null } }
root.classList.add("js")

const links = all(".frames a")
const panelOf = (link) => document.getElementById(link.hash.slice(1))
let current

const select = (link, focus) => {
  const card = link.closest(".card")
  for (const other of all(".frames a[aria-current]", card)) other.removeAttribute("aria-current")
  for (const panel of all(".panel.on", card)) panel.classList.remove("on")
  link.setAttribute("aria-current", "true")
  panelOf(link).classList.add("on")
  current = link
  if (!focus) return
  link.focus({ preventScroll: true })
  link.scrollIntoView({ block: "nearest" })
  history.replaceState(null, "", link.hash)
}

for (const link of links) link.addEventListener("click", (event) => { event.preventDefault(); select(link, true) })
for (const card of all(".throwable.card").reverse()) {
  const first = one(".frames .first a", card) || one(".frames a", card)
  if (first) select(first, false)
}
const linked = links.find((link) => link.hash === location.hash)
if (linked) { linked.closest(".frames").classList.add("all"); select(linked, true) }

const shown = () => links.filter((link) => link.getClientRects().length > 0)
const step = (by) => {
  const list = shown()
  const next = list[list.indexOf(current) + by]
  if (!next) return
  select(next, true)
  next.closest(".card").scrollIntoView({ block: "nearest" })
}

const label = (button, open) => { button.textContent = (open ? "Hide " : "Show ") + button.dataset.count; button.setAttribute("aria-expanded", String(open)) }
const reveal = (button) => label(button, button.closest(".frames").classList.toggle("all"))
for (const button of all(".reveal")) {
  label(button, button.closest(".frames").classList.contains("all"))
  button.addEventListener("click", () => reveal(button))
}

for (const input of all(".find input")) {
  const card = input.closest(".card")
  const entries = all(".frames li", card)
  const texts = new Map(entries.map((entry) => [entry, (entry.textContent + " " + panelOf(one("a", entry)).textContent).toLowerCase()]))
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\\s+/).filter(Boolean)
    input.closest(".frames").classList.toggle("searching", words.length > 0)
    for (const entry of entries) entry.hidden = !words.every((word) => texts.get(entry).includes(word))
    const first = entries.find((entry) => !entry.hidden)
    if (words.length > 0 && first) select(one("a", first), false)
  })
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { input.value = ""; input.dispatchEvent(new Event("input")) }
    if (event.key === "Enter" && current) { event.preventDefault(); select(current, true) }
  })
}
const search = () => { const input = one(".find input", current ? current.closest(".card") : document); if (input) input.focus() }

const editor = one("#editor")
const point = () => {
  const template = editor.selectedOptions[0].value
  for (const link of all("a.file")) {
    const values = { p: link.dataset.path, l: link.dataset.line, c: link.dataset.column }
    link.href = template.replace(/%([plc])/g, (_, name) => values[name])
  }
}
const favourite = all("option", editor).find((option) => option.value === stored("editor"))
if (favourite) favourite.selected = true
editor.addEventListener("change", () => { keep("editor", editor.value); point() })
point()

const paint = (theme) => { if (theme) root.dataset.theme = theme; else delete root.dataset.theme }
const theme = () => {
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches
  paint(dark ? "light" : "dark")
  keep("theme", root.dataset.theme)
}
if (["light", "dark"].includes(stored("theme"))) paint(stored("theme"))
one("#theme").addEventListener("click", theme)

const text = (element) => element ? element.textContent.trim() : ""
const fence = (body, language) => {
  const runs = body.match(/\`+/g) || []
  const mark = "\`".repeat(Math.max(3, ...runs.map((run) => run.length + 1)))
  return mark + language + "\\n" + body + "\\n" + mark
}
const code = (panel) => all(".l", panel).map((line) =>
  (line.tagName === "MARK" ? "> " : "  ") + line.dataset.n.padStart(5) + " | " + line.textContent.replace(/\\n$/, "")).join("\\n")
const stack = (card) => all(".frames a", card).map((link) => "    at " + text(one("b", link)) + " (" + text(one("small", link)) + ")").join("\\n")
const markdown = () => {
  const parts = [text(one(".where"))]
  for (const card of all(".throwable.card")) {
    const head = card.previousElementSibling || one(".head")
    const panel = one(".panel.on", card)
    parts.push("## " + text(one(".kind", head)), fence(text(one(".message", head)), "text"))
    if (panel && one(".l", panel)) parts.push("\`" + text(one(".file", panel)) + "\`", fence(code(panel), "ts"))
    if (one(".frames a", card)) parts.push(fence(stack(card), "text"))
    const facts = all(".facts tr", card).map((row) => text(row.cells[0]) + ": " + text(row.cells[1]))
    if (facts.length) parts.push(fence(facts.join("\\n"), "text"))
  }
  for (const hint of all(".hints p")) parts.push("> " + text(hint).replace(/\\s+/g, " "))
  for (const table of all(".recorded .card, .copied")) {
    const rows = all("tbody tr", table).map((row) => Array.from(row.cells, (cell) => text(cell).replace(/\\s+/g, " ")).filter(Boolean).join("  "))
    if (rows.length) parts.push("## " + text(one("h3", table)), fence(rows.join("\\n"), "text"))
  }
  return parts.join("\\n\\n") + "\\n"
}
const fallback = (value) => {
  const area = document.createElement("textarea")
  area.value = value
  document.body.append(area)
  area.select()
  document.execCommand("copy")
  area.remove()
}
const button = one("#copy")
const copy = async () => {
  const value = markdown()
  try { await navigator.clipboard.writeText(value) } catch { fallback(value) }
  button.textContent = "Copied"
  setTimeout(() => { button.textContent = "Copy as Markdown" }, 1600)
}
button.addEventListener("click", copy)

const open = () => { const link = current && one("a.file", panelOf(current)); if (link) link.click() }
const foreign = () => { const reveals = all(".reveal", current ? current.closest(".card") : document); if (reveals[0]) reveal(reveals[0]) }
const keys = { j: () => step(1), k: () => step(-1), o: open, c: copy, d: foreign, t: theme, "/": search }
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select,textarea,input")) return
  const inList = event.target.closest(".frames")
  const key = inList && event.key === "ArrowDown" ? "j" : inList && event.key === "ArrowUp" ? "k" : event.key
  if (!Object.hasOwn(keys, key)) return
  event.preventDefault()
  keys[key]()
})
})()`
