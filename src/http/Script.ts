// The one script of our own pages. Nothing needs it: it lets a person see the password that is being typed.

/** The text of the script. */
export const script = `document.querySelectorAll("input[type=password][data-reveal]").forEach((input) => {
  const holder = document.createElement("div")
  holder.className = "with"
  input.replaceWith(holder)
  const button = document.createElement("button")
  button.type = "button"
  button.className = "quiet"
  const label = (document.querySelector('label[for="' + input.id + '"]')?.textContent ?? "password").trim().toLowerCase()
  const show = (visible) => {
    input.type = visible ? "text" : "password"
    button.textContent = visible ? "Hide" : "Show"
    button.setAttribute("aria-label", (visible ? "Hide " : "Show ") + label)
    button.setAttribute("aria-pressed", String(visible))
  }
  show(false)
  button.addEventListener("click", () => show(input.type === "password"))
  input.form?.addEventListener("submit", () => show(false))
  holder.append(input, button)
})
`
