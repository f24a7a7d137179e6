// The one script of our own pages. No page needs it: it shows the password while it is typed. It adds a
// button beside the field and never moves the field, which would take the focus and the caret out of it.

/** The text of the script. */
export const script = `document.querySelectorAll("[data-reveal] > input[type=password]").forEach((input) => {
  const button = document.createElement("button")
  button.type = "button"
  button.className = "quiet"
  const { hide, hideLabel, show: reveal, showLabel } = input.parentElement.dataset
  const show = (visible) => {
    input.type = visible ? "text" : "password"
    button.textContent = visible ? hide : reveal
    button.setAttribute("aria-label", visible ? hideLabel : showLabel)
    button.setAttribute("aria-pressed", String(visible))
  }
  show(false)
  button.addEventListener("click", () => show(input.type === "password"))
  input.form?.addEventListener("submit", () => show(false))
  input.after(button)
})
`
