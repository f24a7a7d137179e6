// The script of passkeys: it shows the forms in a browser that can use them, asks the device, and sends the form. A page
// without it works with the password.

/** The text of the script. */
export const script = `const decode = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0))
const encode = (buffer) => {
  let text = ""
  for (const byte of new Uint8Array(buffer)) text += String.fromCharCode(byte)
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")
}
const known = (list) => list.map((one) => ({ ...one, id: decode(one.id) }))
const print = ({ id, rawId, type }, response) => JSON.stringify({ id, rawId: encode(rawId), type, response })
const ceremonies = {
  create: async (options) => {
    const publicKey = {
      ...options,
      challenge: decode(options.challenge),
      user: { ...options.user, id: decode(options.user.id) },
      excludeCredentials: known(options.excludeCredentials)
    }
    const credential = await navigator.credentials.create({ publicKey })
    const { attestationObject, clientDataJSON } = credential.response
    return print(credential, {
      clientDataJSON: encode(clientDataJSON),
      attestationObject: encode(attestationObject),
      transports: credential.response.getTransports?.() ?? []
    })
  },
  get: async (options) => {
    const publicKey = {
      ...options,
      challenge: decode(options.challenge),
      allowCredentials: known(options.allowCredentials)
    }
    const credential = await navigator.credentials.get({ publicKey })
    const { authenticatorData, clientDataJSON, signature, userHandle } = credential.response
    return print(credential, {
      clientDataJSON: encode(clientDataJSON),
      authenticatorData: encode(authenticatorData),
      signature: encode(signature),
      userHandle: userHandle === null ? null : encode(userHandle)
    })
  }
}
const ask = async (form) => {
  const response = await fetch(form.dataset.options, {
    method: "POST",
    headers: { accept: "application/json", "x-csrf-token": form.elements._token.value }
  })
  const body = await response.json()
  if (response.ok) return body
  // Somebody has to confirm who they are first: the page leads there.
  if (body.confirm !== undefined) location.reload()
  throw new Error(body.error, { cause: "server" })
}
const reason = (error, { failed, known }) => {
  if (error.cause === "server") return error.message
  return error.name === "InvalidStateError" ? known : failed
}
const tell = (form, text) => {
  const problem = form.querySelector("[data-problem]")
  problem.hidden = text === ""
  problem.firstElementChild.textContent = text
}
const run = async (form) => {
  const button = form.querySelector("button")
  tell(form, "")
  button.disabled = true
  try {
    form.elements.credential.value = await ceremonies[form.dataset.passkey](await ask(form))
    const remember = document.getElementById("remember")
    if (form.elements.remember !== undefined) form.elements.remember.disabled = remember?.checked !== true
    form.submit()
  } catch (error) {
    tell(form, reason(error, form.dataset))
    button.disabled = false
  }
}
if (window.PublicKeyCredential !== undefined && navigator.credentials !== undefined) {
  for (const note of document.querySelectorAll("[data-no-passkeys]")) note.hidden = true
  for (const part of document.querySelectorAll("[data-passkeys]")) part.hidden = false
  for (const form of document.querySelectorAll("form[data-passkey]")) {
    form.addEventListener("submit", (event) => {
      event.preventDefault()
      void run(form)
    })
  }
  // A page that comes back from the cache of the browser can be used again.
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) for (const button of document.querySelectorAll("form[data-passkey] button")) button.disabled = false
  })
}
`
