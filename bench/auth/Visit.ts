// A client that signs in to a server of the measurements and says with which headers it is signed in.

const cookiesOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ")

const expect = async (response: Response, what: string): Promise<void> => {
  if (!response.ok) throw new Error(`${what} responded with ${response.status}: ${await response.text()}`)
}

const json = { accept: "application/json", "content-type": "application/json" }

/** The headers of a guest of ours whose forms are accepted. */
export const guest = async (url: string): Promise<Readonly<Record<string, string>>> => {
  const response = await fetch(`${url}/csrf`, { headers: json })
  await expect(response, "GET /csrf")
  const { token } = (await response.json()) as { readonly token: string }
  return { cookie: cookiesOf(response), "x-csrf-token": token }
}

/** The device that signs in, and whether it is to be trusted. */
interface Device {
  readonly agent: string
  readonly remember: boolean
}

/** The cookie of someone who is signed in with us. */
export const signIn = async (url: string, email: string, password: string, device?: Device): Promise<string> => {
  const agent = device === undefined ? {} : { "user-agent": device.agent }
  const headers = { ...json, ...(await guest(url)), ...agent }
  const body = JSON.stringify({ email, password, ...(device?.remember === true && { remember: true }) })
  const response = await fetch(`${url}/login`, { method: "POST", headers, body })
  await expect(response, "POST /login")
  return cookiesOf(response)
}

/** The headers of two new accounts at our API: one with a cookie, one with a bearer. */
export const signUpBoth = async (url: string) => {
  const body = (email: string) => JSON.stringify({ email, password: "correct-horse-battery" })
  const visitor = { ...json, ...(await guest(url)) }
  const member = { method: "POST", headers: visitor, body: body("cookie@example.com") }
  const browser = await fetch(`${url}/api/sign-up`, member)
  await expect(browser, "POST /api/sign-up")
  const client = { method: "POST", headers: json, body: body("bearer@example.com") }
  const response = await fetch(`${url}/api/bearer/sign-up`, client)
  await expect(response, "POST /api/bearer/sign-up")
  const { bearer } = (await response.json()) as { readonly bearer: { readonly token: string } }
  return { cookie: { cookie: cookiesOf(browser) }, bearer: { authorization: `Bearer ${bearer.token}` } }
}

/** The headers of a program with an API token of the account that a bearer has signed in. */
export const createToken = async (
  url: string,
  bearer: Readonly<Record<string, string>>,
  scopes: ReadonlyArray<string>
) => {
  const body = JSON.stringify({ name: "bench", scopes })
  const response = await fetch(`${url}/api/tokens`, { method: "POST", headers: { ...json, ...bearer }, body })
  await expect(response, "POST /api/tokens")
  const { secret } = (await response.json()) as { readonly secret: string }
  return { authorization: `Bearer ${secret}` }
}

/** The cookie of someone who is signed in with Better Auth. */
export const signUpThere = async (url: string): Promise<string> => {
  const body = JSON.stringify({ name: "Demo", email: "demo@example.com", password: "correct-horse-battery" })
  const headers = { ...json, origin: url }
  const response = await fetch(`${url}/api/auth/sign-up/email`, { method: "POST", headers, body })
  await expect(response, "sign-up")
  return cookiesOf(response)
}
