// The real demo for a reader of German: a crawl of its pages finds no English sentence.
import { expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Account from "../../demo/Account.ts"
import * as Demo from "../support/Demo.ts"
import { eventually } from "../support/Eventually.ts"
import { parseMail } from "../support/Mime.ts"
import * as TestClient from "../../testing/TestClient.ts"
import { catalogues, mark, sentences } from "./texts/Catalogue.ts"

const german = { "accept-language": "de-DE,de;q=0.9,en;q=0.5" }

const all = Object.values(catalogues)
const english = all.flatMap(([texts]) => sentences(texts).map(({ text }) => text))
const translated = new Set(all.flatMap(([, texts]) => sentences(texts).map(({ text }) => text)))

// A short word is compared with a whole text, because articles have words too; a sentence is found anywhere.
const words = new Set(english.filter((text) => !text.includes(mark) && !translated.has(text)))
const phrases = english.flatMap((text) => text.split(mark)).filter((piece) => piece.trim().split(" ").length >= 4)

const entities: Readonly<Record<string, string>> = {
  "&#39;": "'",
  "&quot;": '"',
  "&lt;": "<",
  "&gt;": ">",
  "&amp;": "&"
}

/** Every text of a page: between its tags, and in the attributes that a person meets. */
const textsOf = (body: string): ReadonlyArray<string> => {
  const page = body.replace(/<(style|script)\b[^]*?<\/\1>/g, "")
  const shown = page.split(/<[^>]*>/)
  const attributes = Array.from(
    page.matchAll(/\s(?:aria-label|title|placeholder|data-[\w-]+)="([^"]*)"/g),
    ([, text = ""]) => text
  )
  return [...shown, ...attributes]
    .map((text) => text.replace(/&(?:#39|quot|lt|gt|amp);/g, (entity) => entities[entity] ?? entity))
    .map((text) => text.replace(/\s+/g, " ").trim())
    .filter((text) => text !== "")
}

const englishIn = (body: string): ReadonlyArray<string> => {
  const texts = textsOf(body)
  const found = phrases.filter((phrase) => texts.some((text) => text.includes(phrase.trim())))
  return [...texts.filter((text) => words.has(text)), ...found]
}

it("would find an English sentence", () => {
  expect(englishIn(`<p>Sign out</p><h1 title="Show password">It&#39;s</h1><p>Articles by Ann</p>`)).toEqual([
    "Sign out"
  ])
  expect(englishIn("<p>Too many requests. Try again in 5 Sekunden.</p>")).toHaveLength(1)
})

const paths = [
  "/",
  "/login",
  "/register",
  "/forgot",
  "/articles",
  "/articles?page=2",
  "/articles?cursor=",
  "/articles?q=nowhere-to-be-found",
  "/articles?author=1",
  "/articles?sort=height",
  "/articles?cursor=!",
  "/metrics/dashboard",
  "/account",
  "/account/tokens",
  "/password",
  "/error",
  "/nowhere",
  "/reset/a/b",
  "/verify/a/b"
]

const crawl = Effect.fnUntraced(function* (client: TestClient.TestClient) {
  const seen: Array<string> = []
  for (const path of paths) {
    let response = yield* client.request(path, { headers: german })
    while (response.location !== undefined) response = yield* client.request(response.location, { headers: german })
    expect({ path, lang: /<html lang="([^"]+)"/.exec(response.body)?.[1] }).toEqual({ path, lang: "de" })
    expect({ path, language: response.headers.get("content-language") }).toEqual({ path, language: "de" })
    expect(response.headers.get("vary")).toContain("Accept-Language")
    expect({ path, found: englishIn(response.body) }).toEqual({ path, found: [] })
    seen.push(response.text)
  }
  return seen
})

const tokenOf = (page: string): string => /name="_token" value="([^"]+)"/.exec(page)?.[1] ?? ""

it.scopedLive(
  "shows every page in German, to a guest and to a user, and sends its e-mails in German",
  () =>
    Effect.gen(function* () {
      const { storage, url } = yield* Demo.demo()
      const client = TestClient.make(url)
      const guest = yield* crawl(client)
      expect(guest[0]).toContain("Ein Web-Framework für Effect, in Betrieb")
      expect(guest[4]).toMatch(
        /Von \S+.* \d{1,2}\. (?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember) \d{4}/
      )
      const login = yield* client.request("/login", { headers: german })
      const form = { email: Account.email, password: Redacted.value(Account.password), _token: tokenOf(login.body) }
      yield* client.request("/login", { form, headers: german })
      const member = yield* crawl(client)
      expect(member[paths.indexOf("/account")]).toContain("Ihr Konto")
      expect(member[paths.indexOf("/account/tokens")]).toContain("Ihre Artikel veröffentlichen, ändern und löschen")

      const forgot = yield* client.request("/forgot", { headers: german })
      yield* client.request("/forgot", {
        form: { email: Account.email, _token: tokenOf(forgot.body) },
        headers: german
      })
      const folder = join(storage, "mails")
      const [name = ""] = yield* eventually(
        Effect.sync(() => (existsSync(folder) ? readdirSync(folder) : []).filter((file) => file.endsWith(".eml"))),
        (files) => files.length > 0
      )
      const mail = parseMail(readFileSync(join(folder, name), "utf8"))
      expect(mail.text).toContain("Für Ihr Konto bei Effect Framework wurde ein neues Passwort angefordert.")
      expect(englishIn(mail.html)).toEqual([])
    }),
  90_000
)
