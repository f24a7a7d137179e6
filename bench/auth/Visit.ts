// A client that signs in to a server of the measurements and says with which headers it is signed in.

const cookiesOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ")

const expect = async (answer: Response, what: string): Promise<void> => {
  if (!answer.ok) throw new Error(`${what} was answered ${answer.status}: ${await answer.text()}`)
}

const json = { accept: "application/json", "content-type": "application/json" }

/** The headers of a guest of ours whose forms are accepted. */
export const guest = async (url: string): Promise<Readonly<Record<string, string>>> => {
  const answer = await fetch(`${url}/csrf`, { headers: json })
  await expect(answer, "GET /csrf")
  const { token } = (await answer.json()) as { readonly token: string }
  return { cookie: cookiesOf(answer), "x-csrf-token": token }
}

/** The cookie of someone who is signed in with us. */
export const signIn = async (url: string, email: string, password: string): Promise<string> => {
  const headers = { ...json, ...(await guest(url)) }
  const answer = await fetch(`${url}/login`, { method: "POST", headers, body: JSON.stringify({ email, password }) })
  await expect(answer, "POST /login")
  return cookiesOf(answer)
}

/** The cookie of someone who is signed in with Better Auth. */
export const signUpThere = async (url: string): Promise<string> => {
  const body = JSON.stringify({ name: "Demo", email: "demo@example.com", password: "correct-horse-battery" })
  const headers = { ...json, origin: url }
  const answer = await fetch(`${url}/api/auth/sign-up/email`, { method: "POST", headers, body })
  await expect(answer, "sign-up")
  return cookiesOf(answer)
}
