// Orders without leaving the page. The form works without it.
import { Asset } from "effect-framework/http"

export const asset = Asset.make(
  "/assets/order.js",
  "text/javascript; charset=utf-8",
  `const form = document.querySelector("form[data-order]")
form?.addEventListener("submit", async (event) => {
  event.preventDefault()
  const { _token, ...order } = Object.fromEntries(new FormData(form))
  const headers = { accept: "application/json", "content-type": "application/json", "x-csrf-token": _token }
  const response = await fetch(form.action, { method: "POST", headers, body: JSON.stringify(order) })
  if (response.status === 401) return location.assign("/login")
  const { error, fields, message } = await response.json()
  const notice = document.createElement("p")
  notice.className = response.ok ? "notice success" : "notice error"
  notice.setAttribute("role", response.ok ? "status" : "alert")
  notice.textContent = fields?.quantity ?? error ?? message
  document.querySelectorAll("main > .notice").forEach((old) => old.remove())
  document.querySelector("main").prepend(notice)
})
`
)
