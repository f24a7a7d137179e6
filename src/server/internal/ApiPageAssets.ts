// The style and the script of the page of an API. The script shows the forms, sends them and shows what came back. It writes
// text alone, never markup.

/** The text of the stylesheet; it adds to the one of the layout. */
export const stylesheet = `.groups { margin-bottom: 1.25rem; }
.operation h3 { margin: 0 0 0.75rem; font-size: 1.05rem; }
.try > :last-child { margin-bottom: 0; }
.operation h4, .try h4 { margin: 1.25rem 0 0.5rem; font-size: 0.95rem; }
.operation td, .operation th { font-weight: 400; }
.response { border-top: 1px solid var(--line, currentColor); padding: 0.35rem 0; }
.response > summary { cursor: pointer; padding: 0.25rem 0; }
.try { border-top: 1px solid var(--line, currentColor); margin-top: 1.25rem; padding-top: 1rem; }
.try[hidden] { display: none; }
.try textarea { font-family: var(--mono, monospace); font-size: 0.92em; }
.card p, .response p { overflow-wrap: break-word; }
.result pre { white-space: pre-wrap; overflow-wrap: anywhere; max-height: 24rem; overflow-y: auto; }
`

/** The text of the script. */
export const script = `const token = async () => {
  const response = await fetch("/csrf", { headers: { accept: "application/json" } })
  return response.ok ? (await response.json()).token : undefined
}
const block = (title, text) => {
  const pre = document.createElement("pre")
  pre.tabIndex = 0
  pre.setAttribute("aria-label", title)
  pre.textContent = text
  return pre
}
const pretty = (text, type) => {
  if (!(type ?? "").includes("json")) return text
  try { return JSON.stringify(JSON.parse(text), undefined, 2) } catch { return text }
}
const requestOf = async (form) => {
  const method = form.dataset.method.toUpperCase()
  const headers = new Headers({ accept: "application/json" })
  const query = new URLSearchParams()
  let path = form.dataset.path
  for (const input of form.querySelectorAll("input[data-in]")) {
    const { in: place, name } = input.dataset
    if (place === "path") path = path.replaceAll("{" + name + "}", encodeURIComponent(input.value))
    else if (input.value === "") continue
    else if (place === "query") query.append(name, input.value)
    else headers.set(name, input.value)
  }
  const area = form.querySelector("textarea")
  if (area !== null) headers.set("content-type", area.dataset.type)
  const bearer = document.getElementById("bearer").value.trim()
  if (bearer !== "") headers.set("authorization", "Bearer " + bearer)
  else if (!["GET", "HEAD", "OPTIONS"].includes(method)) {
    const value = await token()
    if (value !== undefined) headers.set("x-csrf-token", value)
  }
  const search = query.toString()
  return [path + (search === "" ? "" : "?" + search), {
    method, headers, redirect: "manual", credentials: bearer === "" ? "same-origin" : "omit",
    ...(area !== null && { body: area.value })
  }]
}
const send = async (form) => {
  const result = form.querySelector(".result")
  result.replaceChildren("…")
  try {
    const response = await fetch(...(await requestOf(form)))
    const line = document.createElement("p")
    line.textContent = response.status + " " + response.statusText
    const headers = [...response.headers].map(([name, value]) => name + ": " + value).join("\\n")
    const text = await response.text()
    const body = text === "" ? [] : [block("Body", pretty(text, response.headers.get("content-type")))]
    result.replaceChildren(line, block("Headers", headers), ...body)
  } catch (error) {
    result.replaceChildren("The request failed: " + error)
  }
}
for (const form of document.querySelectorAll("form.try")) {
  form.hidden = false
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    if (form.dataset.method !== undefined) void send(form)
  })
}
`
