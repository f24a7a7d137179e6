// The development panel of the bundled demo: there in development, and nowhere else.
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import * as Demo from "../support/Demo.ts"
import { eventually } from "../support/Eventually.ts"
import * as Panel from "../support/Panel.ts"
import * as Visitor from "../support/Visitor.ts"

const register = Effect.fnUntraced(function* (url: string) {
  const visitor = Visitor.make(url)
  const page = yield* visitor.get("/register")
  const form = {
    _token: Visitor.tokenOf(page.body) ?? "",
    email: "ada@example.com",
    password: "quiet harbour",
    password_confirmation: "quiet harbour"
  }
  return yield* visitor.request("/register", { method: "POST", form, headers: { "x-request-id": "signing-up" } })
})

describe("the bundled demo", () => {
  it.scopedLive("shows its requests and its mail in development, without a secret of the request", () =>
    Effect.gen(function* () {
      const demo = yield* Demo.demo({ FRAMEWORK_ENVIRONMENT: "development" })
      expect((yield* register(demo.url)).status).toBe(303)
      const detail = yield* eventually(Panel.get(demo.url, "/_debug/requests/signing-up"), ({ body }) =>
        body.includes("Mailer.send")
      )
      for (const part of ["POST /register", "Users.enroll", "Password.hash", "INSERT INTO &quot;users&quot;"]) {
        expect(detail.body).toContain(part)
      }
      expect(detail.body).not.toMatch(/quiet harbour|ada@example\.com/)
      const mailbox = yield* eventually(Panel.get(demo.url, "/_debug/mail"), ({ body }) =>
        body.includes("ada@example.com")
      )
      const [, path = ""] = /href="(\/_debug\/mail\/[\w.%-]+)"/.exec(mailbox.body) ?? []
      expect((yield* Panel.get(demo.url, path)).body).toMatch(/<a href="http:\/\/[^"]+\/verify\/\w+\/\w+"/)
      expect((yield* Panel.get(demo.url, `${path}/html`)).body).toContain("/verify/")
      // Nothing of a local tracer is in the log.
      expect(demo.output().stderr).not.toContain("trace_id")
    })
  )

  it.scopedLive("shows the requests of all workers, whichever one responds", () =>
    Effect.gen(function* () {
      const demo = yield* Demo.demo({ FRAMEWORK_ENVIRONMENT: "development", WORKERS: "2" })
      const children = readFileSync(`/proc/${demo.pid}/task/${demo.pid}/children`, "utf8").trim().split(/\s+/)
      expect(children).toHaveLength(2)
      // A connection of its own for each: the kernel chooses the worker.
      const visit = Effect.promise(async () => {
        const page = await fetch(`${demo.url}/_debug`, { headers: { connection: "close" } })
        return page.text()
      })
      const asked = Effect.promise(() => fetch(`${demo.url}/health`, { headers: { connection: "close" } }))
      const body = yield* eventually(Effect.zipRight(asked, visit), (text) =>
        children.every((pid) => text.includes(`<td class="number">${pid}</td>`))
      )
      const listed = (text: string) =>
        new Set(Array.from(text.matchAll(/href="(\/_debug\/requests\/[^"]+)"/g), ([, path]) => path))
      const known = listed(body)
      for (let round = 0; round < 10; round++) {
        const again = listed(yield* visit)
        for (const path of known) expect(again).toContain(path)
      }
      const details = yield* Effect.forEach(known, (path) => Panel.get(demo.url, path ?? ""))
      expect(details.map(({ status }) => status)).toEqual(details.map(() => 200))
    })
  )

  it.scopedLive.each(["production", "staging", "test"])("has none of it in %s", (environment) =>
    Effect.gen(function* () {
      const demo = yield* Demo.demo({ FRAMEWORK_ENVIRONMENT: environment })
      const visitor = Visitor.make(demo.url)
      yield* register(demo.url)
      for (const path of ["/_debug", "/_debug/requests/signing-up", "/_debug/mail", "/_debug/mail/1-1-1.eml/html"]) {
        expect([path, (yield* Panel.get(demo.url, path)).status]).toEqual([path, 404])
        expect([path, (yield* visitor.request(path, { method: "POST" })).status]).toEqual([path, 404])
      }
    })
  )
})
