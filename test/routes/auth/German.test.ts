// Every outcome of the authentication routes for a reader of German: pages, messages, JSON and e-mails.
import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as German from "../../../demo/texts/German.ts"
import * as Languages from "../../../src/http/Languages.ts"
import { CapturedMail } from "../../../testing/CapturedMail.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import type { TestClient, TestResponse } from "../../../testing/TestClient.ts"

const german = { "accept-language": "de-AT,de;q=0.9,en;q=0.1" }
const json = { ...german, accept: "application/json" }

const app = TestApp.layer([], { services: Languages.layer({ en: Layer.empty, de: German.layer }) })

const open = (client: TestClient, path: string): Effect.Effect<TestResponse> =>
  Effect.flatMap(client.request(path, { headers: german }), (response) =>
    response.location === undefined ? Effect.succeed(response) : open(client, response.location)
  )

const tokenOf = (value: unknown): string =>
  typeof value === "object" && value !== null && "token" in value ? String(value.token) : ""

const submit = Effect.fnUntraced(function* (
  client: TestClient,
  path: string,
  form: Readonly<Record<string, string>> = {}
) {
  const { json: given } = yield* client.request("/csrf", { headers: { accept: "application/json" } })
  const response = yield* client.request(path, { form: { _token: tokenOf(given), ...form }, headers: german })
  return response.location === undefined ? response : yield* open(client, response.location)
})

const post = Effect.fnUntraced(function* (client: TestClient, path: string, value: unknown) {
  const { json: given } = yield* client.request("/csrf", { headers: { accept: "application/json" } })
  return yield* client.request(path, { json: value, headers: { ...json, "x-csrf-token": tokenOf(given) } })
})

const password = "quiet harbour"

layer(app)("authentication in German", (it) => {
  it.effect.each([
    ["/login", ["Anmelden", "Passwort vergessen?", "Noch kein Konto?", "Auf diesem Gerät angemeldet bleiben"]],
    ["/register", ["Registrieren", "Konto anlegen", "Mindestens 8 Zeichen.", "Passwort wiederholen"]],
    ["/forgot", ["Passwort vergessen?", "Link senden", "Zurück zur Anmeldung"]]
  ] as const)("shows %s", ([path, texts]) =>
    Effect.gen(function* () {
      const page = yield* open(yield* TestApp.guest, path)
      for (const text of ["Zum Inhalt springen", ...texts]) expect(page.text).toContain(text)
      expect(page.body).toContain('<html lang="de">')
      expect(page.headers.get("content-language")).toBe("de")
      expect(page.headers.get("vary")).toContain("Accept-Language")
    })
  )

  it.effect("shows the same page in English to a reader of another language", () =>
    Effect.gen(function* () {
      const client = yield* TestApp.guest
      const page = yield* client.request("/login", { headers: { "accept-language": "fr" } })
      expect(page.text).toContain("Keep me signed in on this device")
      expect(page.body).toContain('<html lang="en">')
      expect(page.headers.get("content-language")).toBe("en")
    })
  )

  it.effect("refuses sign-ups with a reason", () =>
    Effect.gen(function* () {
      const client = yield* TestApp.guest
      const { email } = yield* TestApp.enrolledUser()
      const form = { email: "anna@example.com", password, password_confirmation: password }
      const tries = [
        [{ ...form, email: "" }, "Geben Sie Ihre E-Mail-Adresse ein."],
        [{ ...form, email: "anna" }, "Das ist keine E-Mail-Adresse."],
        [{ ...form, email }, "Diese E-Mail-Adresse ist bereits registriert."],
        [{ ...form, password: "kurz" }, "Verwenden Sie mindestens 8 Zeichen."],
        [{ ...form, password: "x".repeat(2000) }, "Verwenden Sie höchstens 1024 Byte."],
        [{ ...form, password: "password123" }, "Dieses Passwort gehört zu den häufigsten."],
        [
          { ...form, password: form.email, password_confirmation: form.email },
          "Verwenden Sie etwas anderes als Ihre E-Mail-Adresse."
        ],
        [{ ...form, password_confirmation: "other harbour" }, "Die beiden Passwörter stimmen nicht überein."]
      ] as const
      for (const [index, [given, text]] of tries.entries()) {
        // Each from its own address: sign-ups are limited.
        const page = yield* submit(index % 2 === 0 ? yield* TestApp.guest : client, "/register", given)
        expect([page.status, page.text]).toEqual([422, expect.stringContaining(text)])
        expect(page.body).toContain("<title>Fehler: Registrieren")
      }
    })
  )

  it.effect("signs up, confirms the address, signs out and in again", () =>
    Effect.gen(function* () {
      const { linkTo, messagesTo } = yield* CapturedMail
      const client = yield* TestApp.guest
      const email = "berta@example.com"
      const form = { email, password, password_confirmation: password }
      const account = yield* submit(client, "/register", form)
      expect(account.text).toContain("Ihr Konto ist angelegt!")
      for (const text of [
        "Ihr Konto",
        "nicht bestätigt",
        "Angemeldet auf",
        "dieses Gerät",
        "jetzt aktiv",
        "Abmelden"
      ]) {
        expect(account.text).toContain(text)
      }
      expect((yield* submit(client, "/verify")).text).toContain("Der Bestätigungslink ist unterwegs.")
      const [message] = yield* messagesTo(email)
      expect(message?.subject).toBe("Bestätigen Sie Ihre E-Mail-Adresse")
      expect(message?.text).toContain("Mit dieser Adresse wurde ein Konto bei Test angelegt.")
      expect(message?.text).toMatch(/Er ist \d+ (?:Stunden|Tage) lang gültig\./)
      const link = yield* linkTo(email)
      expect((yield* open(client, link)).text).toContain("Ihre E-Mail-Adresse ist bestätigt!")
      expect((yield* open(client, link)).text).toContain("Dieser Bestätigungslink ist ungültig oder abgelaufen.")
      expect((yield* submit(client, "/verify")).text).toContain("Ihre E-Mail-Adresse ist bereits bestätigt.")
      expect((yield* submit(client, "/logout")).text).toContain("Sie haben sich abgemeldet.")
      expect((yield* open(client, "/account")).text).toContain("Melden Sie sich an, um fortzufahren.")
      const refused = yield* submit(client, "/login", { email, password: "another harbour" })
      expect([refused.status, refused.text]).toEqual([401, expect.stringContaining("Die Zugangsdaten sind ungültig.")])
      expect((yield* submit(client, "/login", { email, password: "" })).text).toContain("Geben Sie Ihr Passwort ein.")
      expect((yield* submit(client, "/login", { email, password })).text).toContain("Willkommen zurück!")
    })
  )

  it.effect("resets a forgotten password", () =>
    Effect.gen(function* () {
      const { linkTo, messagesTo } = yield* CapturedMail
      const { email } = yield* TestApp.enrolledUser()
      const client = yield* TestApp.guest
      expect((yield* submit(client, "/forgot", { email: "" })).text).toContain("Geben Sie Ihre E-Mail-Adresse ein.")
      expect((yield* submit(client, "/forgot", { email })).text).toContain("Falls es ein Konto mit dieser")
      const [message] = yield* messagesTo(email)
      expect(message?.subject).toBe("Neues Passwort wählen")
      const link = yield* linkTo(email)
      expect((yield* open(client, link)).text).toContain("Neues Passwort speichern")
      const again = { password, password_confirmation: password }
      expect((yield* submit(client, link, { password: email, password_confirmation: email })).text).toContain(
        "etwas anderes als Ihre"
      )
      expect((yield* submit(client, link, again)).text).toContain("Ihr Passwort ist geändert! Melden Sie sich")
      expect((yield* open(client, link)).text).toContain("Dieser Link zum Zurücksetzen ist ungültig oder abgelaufen.")
    })
  )

  it.effect("tells of a new sign-in, shows the activity and takes a report", () =>
    Effect.gen(function* () {
      const { linkTo, messagesTo } = yield* CapturedMail
      const email = "clara@example.com"
      const first = yield* TestApp.guest
      yield* submit(first, "/register", { email, password, password_confirmation: password })
      yield* open(first, yield* linkTo(email))
      const client = yield* TestApp.guest
      yield* submit(client, "/login", { email, password })
      const message = (yield* messagesTo(email)).at(-1)
      expect(message?.subject).toBe("Neue Anmeldung bei Ihrem Konto")
      expect(message?.text).toMatch(/mit der Adresse [\d.]+, .* UTC/)
      const activity = yield* open(client, "/account/activity")
      for (const text of ["Aktivität Ihres Kontos", "Anmeldung mit dem Passwort.", "Das Konto wurde angelegt."]) {
        expect(activity.text).toContain(text)
      }
      const link = yield* linkTo(email)
      expect((yield* open(client, link)).text).toContain("Das war ich nicht")
      expect((yield* submit(client, link)).text).toContain("Alle Geräte wurden abgemeldet.")
      expect((yield* open(client, link)).text).toContain("Hier können Sie ein neues Passwort anfordern.")
    })
  )

  it.effect("changes a password and signs out other devices", () =>
    Effect.gen(function* () {
      const user = yield* TestApp.enrolledUser()
      const client = yield* TestApp.guest
      yield* submit(client, "/login", { email: user.email, password: user.password, remember: "1" })
      yield* TestApp.signedInUser(user)
      yield* TestApp.signedInUser(user)
      const account = yield* open(client, "/account")
      for (const text of ["Vertrauenswürdige Geräte", "Entfernen", "gerade eben", "Alle anderen Geräte abmelden"]) {
        expect(account.text).toContain(text)
      }
      expect(account.body).toMatch(/<time datetime="[^"]+Z" title="\d+\. \S+ \d{4}, \d\d:\d\d UTC">/)
      const [, handle = ""] = /name="handle" value="([^"]+)"/.exec(account.body) ?? []
      const [, selector = ""] = /name="selector" value="([^"]+)"/.exec(account.body) ?? []
      expect((yield* submit(client, "/account/sessions", { handle })).text).toContain("Diese Sitzung wurde abgemeldet.")
      expect((yield* submit(client, "/account/devices", { selector })).text).toContain("muss sich neu anmelden.")
      expect((yield* submit(client, "/account/others")).text).toContain("Alle anderen Geräte wurden abgemeldet.")
      const page = yield* open(client, "/password")
      expect(page.text).toContain("Aktuelles Passwort")
      expect(page.body).toContain('data-show-label="Aktuelles Passwort anzeigen"')
      const change = { current: "another harbour", password, password_confirmation: password }
      expect((yield* submit(client, "/password", change)).text).toContain("Das aktuelle Passwort ist falsch.")
      const changed = yield* submit(client, "/password", { ...change, current: user.password })
      expect(changed.text).toContain("Ihr Passwort ist geändert. Andere Geräte wurden abgemeldet.")
    })
  )

  it.effect("speaks German to a JSON client", () =>
    Effect.gen(function* () {
      const client = yield* TestApp.guest
      const { email } = yield* TestApp.enrolledUser()
      expect((yield* post(client, "/login", { email, password: "another harbour" })).json).toEqual({
        error: "Die Zugangsdaten sind ungültig."
      })
      expect((yield* post(client, "/register", { email: "anna", password: "kurz" })).json).toEqual({
        error: "Bitte prüfen Sie Ihre Angaben.",
        fields: { email: "Das ist keine E-Mail-Adresse.", password: "Verwenden Sie mindestens 8 Zeichen." }
      })
      expect((yield* post(client, "/forgot", { email })).json).toEqual({
        message: expect.stringContaining("Falls es ein Konto")
      })
      expect((yield* client.request("/account", { headers: json })).json).toEqual({ error: "Nicht angemeldet" })
      expect((yield* client.request("/nowhere", { headers: json })).json).toEqual({ error: "Nicht gefunden" })
      const problem = { ...german, accept: "application/problem+json" }
      expect((yield* client.request("/nowhere", { headers: problem })).json).toMatchObject({ title: "Nicht gefunden" })
      const forged = yield* client.request("/login", { json: { email, password }, headers: json })
      expect([forged.status, forged.json]).toEqual([403, { error: "Ungültiges CSRF-Token" }])
      const broken = yield* client.request("/login", {
        body: "[",
        headers: { ...json, "content-type": "application/json" }
      })
      expect([broken.status, broken.json]).toEqual([400, { error: "Der Inhalt ist kein JSON-Objekt." }])
    })
  )

  it.effect("tells how long to wait", () =>
    Effect.gen(function* () {
      const client = yield* TestApp.guest
      const tries = Effect.replicateEffect(submit(client, "/login", { email: "carl@example.com", password }), 8)
      const last = (yield* tries).at(-1)
      expect(last?.status).toBe(429)
      expect(last?.text).toMatch(/Zu viele Anfragen\. Versuchen Sie es in (?:1 Minute|\d+ Sekunden) erneut\./)
      expect(last?.body).toContain('<html lang="de">')
    })
  )
})
