// The one script of our own pages. No page needs it: it shows the password while it is typed, and tells which rule a new one
// still breaks. The server decides; it knows the lists as well. It adds a
// button beside the field and never moves the field, which would take the focus and the caret out of it. What it tells is
// shown with the key that was pressed: a line that appears later moves the button below it away from the pointer. Only what a
// screen reader says waits for a pause.

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

document.querySelectorAll("input[data-min]").forEach((input) => {
  const { common, good, guessable, min, more, words } = input.dataset
  const note = document.createElement("p")
  note.className = "hint"
  note.id = input.id + "-strength"
  note.setAttribute("aria-hidden", "true")
  const spoken = document.createElement("p")
  spoken.className = "visually-hidden"
  spoken.setAttribute("role", "status")
  const field = input.closest(".field") ?? input.parentElement
  field.append(note, spoken)
  input.setAttribute("aria-describedby", ((input.getAttribute("aria-describedby") ?? "") + " " + note.id).trim())
  const fold = (text) => text.normalize("NFKC").toLowerCase()
  const known = () => {
    const [local = "", domain = ""] = (input.form?.elements.namedItem("email")?.value ?? "").split("@")
    const all = [local, ...local.split(/[^\\p{L}\\p{N}]+/u), ...domain.split(".").slice(0, -1), ...words.split(" ")]
    return all.map(fold).filter((word) => [...word].length > 3).sort((one, other) => other.length - one.length)
  }
  const isGuessable = (text) => {
    const rest = known().reduce((left, word) => left.replaceAll(word, ""), text)
    return rest !== text && [...rest].length < 6
  }
  const rows = "01234567890 09876543210 abcdefghijklmnopqrstuvwxyz zyxwvutsrqponmlkjihgfedcba"
  const isMonotonous = (text) => /^[a-z0-9]{1,12}$/.test(text) && (/^(.{1,4})\\1+$/.test(text) || rows.includes(text))
  const verdict = () => {
    const text = fold(input.value)
    const missing = Number(min) - [...input.value].length
    if (text === "") return ""
    if (missing > 0) return more.replace("{}", String(missing))
    if (isMonotonous(text)) return common
    return isGuessable(text) ? guessable : good
  }
  let timer
  input.addEventListener("input", () => {
    const text = verdict()
    note.textContent = text
    clearTimeout(timer)
    timer = setTimeout(() => { spoken.textContent = text }, 300)
  })
})
`
