// The program of a generated client: a person does everything that the API of accounts offers. A wrong type does not compile,
// a wrong status ends the program. `ask` is what only the test knows: the links of e-mails, the time and the devices.
export const program = `
import createClient, { type Middleware } from "openapi-fetch"
import type { paths } from "./schema.ts"

const [baseUrl = "", helper = ""] = process.argv.slice(2)

const ask = async (question: object): Promise<string> => {
  const response = await fetch(helper, { method: "POST", body: JSON.stringify(question) })
  if (!response.ok) throw new Error(await response.text())
  return response.text()
}

let done = 0
let people = 0

interface Result<T> {
  readonly data?: T
  readonly error?: unknown
  readonly response: Response
}

/** The body of a response with this status. */
const ok = <T>({ data, error, response }: Result<T>, status: number): T => {
  if (response.status !== status || data === undefined) {
    throw new Error(response.url + " answered " + response.status + ", not " + status + ": " + JSON.stringify(error ?? data))
  }
  done++
  return data
}

interface Failure<E> {
  readonly error?: E
  readonly response: Response
}

/** A response with this status, which is a failure. */
const refused = <E>({ error, response }: Failure<E>, status: number): void => {
  if (response.status !== status || error === undefined) {
    throw new Error(response.url + " answered " + response.status + ", not " + status)
  }
  done++
}

type TagOf<E> = E extends { readonly _tag: infer Tag } ? Tag : never

/** The failure of this tag, which the document declares. */
const failed = <E, Tag extends string>(result: Failure<E>, status: number, tag: Tag & TagOf<E>): Extract<E, { _tag: Tag }> => {
  refused(result, status)
  const { error } = result as { readonly error: Extract<E, { _tag: Tag }> }
  same((error as { readonly _tag: unknown })._tag, tag)
  return error
}

const same = (found: unknown, expected: unknown): void => {
  if (JSON.stringify(found) !== JSON.stringify(expected)) {
    throw new Error(JSON.stringify(found) + " is not " + JSON.stringify(expected) + new Error().stack)
  }
}

/** A client from an address of its own: each has its own limits. */
const client = (token?: string) =>
  createClient<paths>({
    baseUrl,
    headers: { "x-forwarded-for": "10.9.0." + ++people, ...(token !== undefined && { authorization: "Bearer " + token }) }
  })

/** A client that keeps cookies, as a browser does. */
const browser = () => {
  const jar = new Map<string, string>()
  const cookies: Middleware = {
    onRequest: ({ request }) => {
      if (jar.size > 0) request.headers.set("cookie", [...jar].map((pair) => pair.join("=")).join("; "))
      return request
    },
    onResponse: ({ response }) => {
      for (const line of response.headers.getSetCookie()) {
        const [pair = ""] = line.split(";")
        const at = pair.indexOf("=")
        if (/max-age=0/i.test(line)) jar.delete(pair.slice(0, at))
        else jar.set(pair.slice(0, at), pair.slice(at + 1))
      }
      return response
    }
  }
  const one = client()
  one.use(cookies)
  const header = async () => ({ "x-csrf-token": ok(await one.GET("/api/csrf"), 200).token })
  return { one, header }
}

const password = "correct-horse-battery"
const someone = (name: string) => ({ email: name + "@example.com", password })

/** A new person with a bearer session. */
const signedUp = async (name: string) => {
  const { account, bearer } = ok(await client().POST("/api/bearer/sign-up", { body: someone(name) }), 201)
  const token = await ask({ link: "/verify/", to: account.email })
  failed(await client().POST("/api/verification/redeem", { body: { token } }), 401, "Unauthenticated")
  const api = client(bearer.token)
  ok(await api.POST("/api/verification/redeem", { body: { token } }), 200)
  return { account, bearer, api }
}

const signedIn = async (email: string, own: string = password) => {
  const data = ok(await client().POST("/api/bearer/sign-in", { body: { email, password: own } }), 200)
  if (!("bearer" in data)) throw new Error("a second step follows")
  return client(data.bearer.token)
}

const pendingOf = async (email: string) => {
  const data = ok(await client().POST("/api/bearer/sign-in", { body: { email, password } }), 202)
  if (!("pending" in data)) throw new Error("no second step follows")
  return data
}

// Sign-up, verification, sign-in, the account.
const ann = await signedUp("ann")
const unverified: boolean = ann.account.verified
same(unverified, false)
const me = ok(await ann.api.GET("/api/me"), 200)
same([me.email, me.verified], ["ann@example.com", true])
same(ok(await ann.api.POST("/api/verification"), 200).message, "Your e-mail is already verified.")
const taken = failed(await client().POST("/api/bearer/sign-up", { body: someone("ann") }), 422, "InvalidInput")
const complaint: string | undefined = taken.fields["email"]
same(complaint, "This e-mail is already registered.")
const wrong = { ...someone("ann"), password: "not this one" }
failed(await client().POST("/api/bearer/sign-in", { body: wrong }), 401, "InvalidCredentials")
// @ts-expect-error A sign-in needs a password.
refused(await client().POST("/api/bearer/sign-in", { body: { email: "ann@example.com" } }), 422)
failed(await client().GET("/api/me"), 401, "Unauthenticated")

// The password: the secret of the session changes with it.
const changed = ok(await ann.api.PUT("/api/password", { body: { current: password, password: "another-horse-battery" } }), 200)
refused(await ann.api.GET("/api/me"), 401)
const renewed = client(changed.bearer?.token)
ok(await renewed.GET("/api/me"), 200)
ok(await client().POST("/api/password/forgot", { body: { email: "ann@example.com" } }), 200)
const reset = { token: await ask({ link: "/reset/", to: "ann@example.com" }), password }
ok(await client().POST("/api/password/reset", { body: reset }), 200)
failed(await client().POST("/api/password/reset", { body: reset }), 410, "InvalidLink")
refused(await renewed.GET("/api/me"), 401)

// Sessions and devices.
const here = await signedIn("ann@example.com")
const there = await signedIn("ann@example.com")
const listed = ok(await here.GET("/api/sessions"), 200)
const [own, other] = listed
const created: number | undefined = own?.created
same([listed.length, own?.current, other?.current, typeof created], [2, true, false, "number"])
ok(await here.DELETE("/api/sessions/{handle}", { params: { path: { handle: other?.handle ?? "" } } }), 200)
refused(await there.GET("/api/me"), 401)
same(ok(await here.GET("/api/devices"), 200), [])
ok(await here.DELETE("/api/devices/{selector}", { params: { path: { selector: "none" } } }), 200)
ok(await here.DELETE("/api/sessions"), 200)
const activity = ok(await here.GET("/api/activity", { params: { query: { limit: 2 } } }), 200)
same([activity.items.length, activity.limit], [2, 2])
ok(await here.GET("/api/activity", { params: { query: { cursor: activity.next ?? "" } } }), 200)
refused(await here.GET("/api/activity", { params: { query: { cursor: "none" } } }), 400)

// API tokens.
const token = ok(await here.POST("/api/tokens", { body: { name: "Backup", scopes: ["notes:read"], days: 30 } }), 201)
// @ts-expect-error No token lives for 31 days.
refused(await here.POST("/api/tokens", { body: { name: "Backup", scopes: ["notes:read"], days: 31 } }), 422)
const robot = client(token.secret)
same(ok(await robot.GET("/api/notes"), 200), ["a note of ann@example.com"])
failed(await robot.DELETE("/api/notes"), 403, "InsufficientScope")
refused(await robot.GET("/api/me"), 401)
same(ok(await here.GET("/api/tokens"), 200).map(({ name }) => name), ["Backup"])
ok(await here.DELETE("/api/tokens/{handle}", { params: { path: { handle: token.handle } } }), 200)
refused(await robot.GET("/api/notes"), 401)

// Another address, and the old one again.
const bob = await signedUp("bob")
same(ok(await bob.api.GET("/api/email"), 200).pending, null)
ok(await bob.api.POST("/api/email", { body: { email: "bob@example.org" } }), 200)
const moving = { token: await ask({ link: "/account/email/", to: "bob@example.org" }) }
same(ok(await bob.api.GET("/api/email"), 200).pending?.email, "bob@example.org")
ok(await bob.api.POST("/api/email/redeem", { body: moving }), 200)
same(ok(await bob.api.GET("/api/me"), 200).email, "bob@example.org")
ok(await bob.api.POST("/api/email", { body: { email: "bob@example.net" } }), 200)
ok(await bob.api.DELETE("/api/email"), 200)
const undo = { token: await ask({ link: "/account/email/undo/", to: "bob@example.com" }) }
ok(await client().POST("/api/email/undo", { body: undo }), 200)
refused(await bob.api.GET("/api/me"), 401)

// Deletion, which is cancelled; export.
const cid = await signedUp("cid")
const due: number = ok(await cid.api.POST("/api/deletion"), 200).due
refused(await cid.api.GET("/api/me"), 401)
const back = await signedIn("cid@example.com")
same(ok(await back.GET("/api/deletion"), 200).due, due)
ok(await back.DELETE("/api/deletion"), 200)
same(ok(await back.GET("/api/deletion"), 200).due, null)
const stored = ok(await back.GET("/api/export"), 200)
same([stored.account.email, stored.sessions.length, stored.factors.length], ["cid@example.com", 1, 0])

// A second factor.
const dan = await signedUp("dan")
const email = dan.account.email
const begun = ok(await dan.api.POST("/api/factors/enrolment"), 200)
refused(await dan.api.POST("/api/factors", { body: { enrolment: begun.enrolment, name: "App", code: "none" } }), 422)
const code = await ask({ code: begun.secret })
const added = ok(await dan.api.POST("/api/factors", { body: { enrolment: begun.enrolment, name: "App", code } }), 201)
same([added.factor.name, added.recoveryCodes.length], ["App", 10])
failed(await dan.api.POST("/api/factors", { body: { enrolment: "none", name: "App", code } }), 410, "EnrollmentExpired")
same(ok(await dan.api.GET("/api/factors"), 200).recoveryCodes, 10)
ok(await dan.api.PUT("/api/factors/every-device", { body: { every_device: true } }), 200)
await ask({ wait: 90 })
const first = await pendingOf(email)
same(first.factors, ["totp", "recovery"])
const body = { pending: first.pending, code: await ask({ code: begun.secret }) }
refused(await client().POST("/api/bearer/sign-in/factor", { body: { ...body, code: "none" } }), 401)
const second = ok(await client().POST("/api/bearer/sign-in/factor", { body }), 200)
failed(await client().POST("/api/bearer/sign-in/factor", { body }), 410, "PendingEnded")
const inside = client(second.bearer.token)
const byRecovery = { pending: (await pendingOf(email)).pending, code: added.recoveryCodes[0] ?? "" }
ok(await client().POST("/api/bearer/sign-in/factor", { body: byRecovery }), 200)
await ask({ wait: 600 })
failed(await inside.GET("/api/factors"), 403, "ConfirmationRequired")
const confirmed = client(ok(await inside.POST("/api/confirm", { body: { current: password } }), 200).bearer?.token)
const again = ok(await confirmed.POST("/api/confirm", { body: { code: await ask({ code: begun.secret }) } }), 200)
const member = client(again.bearer?.token)
same(ok(await member.POST("/api/factors/recovery-codes"), 201).recoveryCodes.length, 10)

// All factors are lost.
const lost = { pending: (await pendingOf(email)).pending }
same(ok(await client().POST("/api/bearer/sign-in/factor/recovery/state", { body: lost }), 200).state, "none")
same(ok(await client().POST("/api/bearer/sign-in/factor/recovery", { body: lost }), 202).state, "waiting")
const cancel = { token: await ask({ link: "/login/factor/recovery/cancel/", to: email }) }
ok(await client().POST("/api/factor-recovery/cancel", { body: cancel }), 200)
refused(await client().POST("/api/bearer/sign-in/factor/recovery", { body: lost }), 410)
const { one: kiosk, header: kioskToken } = browser()
ok(await kiosk.POST("/api/sign-in", { params: { header: await kioskToken() }, body: { email, password } }), 202)
same(ok(await kiosk.GET("/api/sign-in/factor/recovery"), 200).available, true)
ok(await kiosk.POST("/api/sign-in/factor/recovery", { params: { header: await kioskToken() } }), 202)
await ask({ recover: true })
const complete = { token: await ask({ link: "/login/factor/recovery/", to: email }), password }
ok(await client().POST("/api/factor-recovery/complete", { body: complete }), 200)
refused(await member.GET("/api/me"), 401)
const without = await signedIn(email)
same(ok(await without.GET("/api/factors"), 200).apps, [])

// A passkey.
const options = ok(await without.POST("/api/passkeys/options"), 200)
const credential = await ask({ passkey: options })
const passkey = ok(await without.POST("/api/passkeys", { body: { name: "Phone", credential } }), 201)
const path = { handle: passkey.handle }
ok(await without.PATCH("/api/passkeys/{handle}", { params: { path }, body: { name: "Old phone" } }), 200)
same(ok(await without.GET("/api/passkeys"), 200).map(({ name }) => name), ["Old phone"])
ok(await without.DELETE("/api/passkeys/{handle}", { params: { path } }), 200)

// In a browser: cookies and their token.
const { header, one } = browser()
ok(await one.POST("/api/sign-up", { params: { header: await header() }, body: someone("eve") }), 201)
same(ok(await one.GET("/api/me"), 200).email, "eve@example.com")
// @ts-expect-error The token is required.
failed(await one.POST("/api/sign-in", { body: someone("eve") }), 403, "CsrfMismatch")
refused(await one.POST("/api/sign-out"), 403)
ok(await one.POST("/api/sign-out", { params: { header: await header() } }), 200)
const remembered = { ...someone("eve"), remember: true }
ok(await one.POST("/api/sign-in", { params: { header: await header() }, body: remembered }), 200)
const [device] = ok(await one.GET("/api/devices"), 200)
same(device?.current, true)
const start = ok(await one.POST("/api/factors/enrolment", { params: { header: await header() } }), 200)
const app = { enrolment: start.enrolment, name: "App", code: await ask({ code: start.secret }) }
const { factor } = ok(await one.POST("/api/factors", { params: { header: await header() }, body: app }), 201)
await ask({ wait: 90 })
const { header: tokenThere, one: elsewhere } = browser()
ok(await elsewhere.POST("/api/sign-in", { params: { header: await tokenThere() }, body: someone("eve") }), 202)
refused(await elsewhere.GET("/api/me"), 401)
const eveCode = { code: await ask({ code: start.secret }) }
ok(await elsewhere.POST("/api/sign-in/factor", { params: { header: await tokenThere() }, body: eveCode }), 200)
const handle = { handle: factor.handle }
ok(await elsewhere.DELETE("/api/factors/{handle}", { params: { path: handle, header: await tokenThere() } }), 200)
ok(await elsewhere.POST("/api/sign-out/everywhere", { params: { header: await tokenThere() } }), 200)
for (const ended of [one, elsewhere]) refused(await ended.GET("/api/me"), 401)

console.log("done " + done)
`
