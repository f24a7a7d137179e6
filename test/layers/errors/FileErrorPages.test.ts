import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { createHash } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as FileErrorPages from "../../../layers/errors/FileErrorPages.ts"
import { TooManyRequests } from "../../../src/session/RateLimit.ts"
import * as Environment from "../../../src/config/Environment.ts"
import { ErrorPages } from "../../../src/errors/ErrorPages.ts"
import { folder, root } from "../../support/Demo.ts"

const open = (directory: string, environment: Environment.Name = "production") =>
  Effect.provide(ErrorPages, Layer.provide(FileErrorPages.layer(directory), Environment.layerWith(environment)))

const facts = (status: number) => ({ status, text: "Text", message: "<Message>" })

describe("FileErrorPages", () => {
  it.scoped("renders the page of a status, and has none for another", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const style = "p { color: red }"
      writeFileSync(join(directory, "404.html"), `<style>${style}</style><p>{{ status }} {{ text }} {{ message }}</p>`)
      writeFileSync(join(directory, "notes.html"), "no page")
      const { page } = yield* open(directory)
      const hash = createHash("sha256").update(style).digest("base64")
      expect(yield* page(facts(404))).toEqual(
        Option.some({
          markup: `<style>${style}</style><p>404 Text &lt;Message&gt;</p>`,
          policy: expect.stringContaining(`style-src 'self' 'sha256-${hash}'; script-src 'self';`)
        })
      )
      expect(yield* page(facts(500))).toEqual(Option.none())
    })
  )

  it.scoped("prefers the page in the language of the request", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      writeFileSync(join(directory, "404.html"), "<p>Nothing</p>")
      writeFileSync(join(directory, "404.de.html"), "<p>Nichts</p>")
      const { page } = yield* open(directory)
      const markup = (language: string) =>
        Effect.map(page({ ...facts(404), language }), (found) => Option.getOrThrow(found).markup)
      expect([yield* markup("de"), yield* markup("fr")]).toEqual(["<p>Nichts</p>", "<p>Nothing</p>"])
    })
  )

  it.scoped("includes a file of the folder, allows its style, and refuses a path", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const style = "p { color: red }"
      writeFileSync(join(directory, "_head.html"), `<style>${style}</style><title>{{ message }}</title>`)
      writeFileSync(join(directory, "404.html"), "{{ include head }}<p>{{ status }}</p>")
      mkdirSync(join(directory, "sub"))
      writeFileSync(join(directory, "sub", "404.html"), "{{ include ../head }}")
      writeFileSync(join(directory, "sub", "500.html"), "{{ include head }}")
      const hash = createHash("sha256").update(style).digest("base64")
      const { page } = yield* open(directory)
      expect(yield* page(facts(404))).toEqual(
        Option.some({
          markup: `<style>${style}</style><title>&lt;Message&gt;</title><p>404</p>`,
          policy: expect.stringContaining(`style-src 'self' 'sha256-${hash}';`)
        })
      )
      const below = yield* open(join(directory, "sub"))
      expect((yield* Effect.flip(below.page(facts(404)))).reason).toContain("does not name a file of this folder")
      expect((yield* Effect.flip(below.page(facts(500)))).reason).toContain("there is no _head.html")
    })
  )

  it.scoped("has no page where there is no folder", () =>
    Effect.gen(function* () {
      const { page } = yield* open(join(yield* folder, "missing"))
      expect(yield* page(facts(404))).toEqual(Option.none())
    })
  )

  it.scoped("fails for a page that cannot be rendered or read", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      writeFileSync(join(directory, "404.html"), "{{ nonsense }}")
      mkdirSync(join(directory, "500.html"))
      const { page } = yield* open(directory)
      expect((yield* Effect.flip(page(facts(404)))).message).toContain("{{ nonsense }} is not one of")
      expect((yield* Effect.flip(page(facts(500)))).message).toContain("500.html cannot be read")
    })
  )

  it.scoped("reads the pages once, in development each time", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const path = join(directory, "404.html")
      for (const [environment, expected] of [
        ["production", "one"],
        ["development", "two"]
      ] as const) {
        writeFileSync(path, "one")
        const { page } = yield* open(directory, environment)
        writeFileSync(path, "two")
        expect(Option.map(yield* page(facts(404)), ({ markup }) => markup)).toEqual(Option.some(expected))
      }
    })
  )

  it.effect("has the real wait on the demo's page of 429", () =>
    Effect.gen(function* () {
      const { page } = yield* open(join(root, "demo", "views", "errors"))
      const message = new TooManyRequests({ scope: "forgot", retryAfter: 600 }).message
      const shown = Option.getOrThrow(yield* page({ status: 429, text: "Too Many Requests", message })).markup
      expect(shown).toContain("Try again in 10 minutes.")
      expect(shown).not.toContain("a minute")
    })
  )

  it.effect("renders every page of the demo", () =>
    Effect.gen(function* () {
      const { page } = yield* open(join(root, "demo", "views", "errors"))
      for (const status of [403, 404, 429, 500, 503]) {
        const shown = Option.getOrThrow(yield* page(facts(status)))
        expect(shown.markup).toContain(`<p class="code">${status}</p>`)
        expect(shown.policy).toMatch(/style-src 'self' 'sha256-[\w+/]+=';/)
      }
      expect(Option.getOrThrow(yield* page(facts(403))).markup).toContain("&lt;Message&gt;")
    })
  )
})
