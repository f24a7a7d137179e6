// The page about authentication: its program runs, and its figures are those of the code.
import { describe, expect, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as LiveAfterwards from "../../layers/http/LiveAfterwards.ts"
import * as Limits from "../../src/auth/Limits.ts"
import { bundleText } from "../support/Bundle.ts"
import * as Demo from "../support/Demo.ts"
import * as Visitor from "../support/Visitor.ts"

const page = readFileSync(join(Demo.root, "docs", "auth.md"), "utf8")
const example = readFileSync(join(Demo.root, "docs", "examples", "auth.ts"), "utf8")
const program = /```ts\n([^]*?)```/.exec(page)?.[1] ?? ""

const byName = (text: string): string =>
  text
    .replace('"../../layers/index.ts"', '"effect-framework/layers"')
    .replace('"../../routes/index.ts"', '"effect-framework/routes"')
    .replace('"../../src/index.ts"', '"effect-framework"')

describe("docs/auth.md", () => {
  it("shows the example, which has fewer than 40 lines", () => {
    expect(program).toBe(byName(example))
    expect(program.trimEnd().split("\n").length).toBeLessThan(40)
  })

  it.scopedLive(
    "shows a program that runs: with its own route, layout and mailer",
    () =>
      Effect.gen(function* () {
        const folder = yield* Demo.folder
        const app = yield* Demo.start([bundleText("docs-auth", program)], {
          PORT: "0",
          DATABASE_URL: `file:${join(folder, "example.sqlite")}`,
          APP_URL: "https://teapots.example",
          AUTH_ARGON2_MEMORY: "19456",
          AUTH_ARGON2_TIME: "2"
        })
        const [, port = ""] = yield* app.says(/Listening on http:\/\/\S+?:(\d+)/)
        const visitor = Visitor.make(`http://127.0.0.1:${port}`)
        expect(yield* visitor.get("/tea")).toMatchObject({ status: 303, location: "/login" })
        const form = yield* visitor.get("/register")
        expect(form.body).toContain("<title>Sign up | Teapots</title>")
        const person = { email: "ann@example.com", password: "quiet harbour" }
        const made = yield* visitor.submit("/register", person)
        expect(made).toMatchObject({ status: 303, location: "/account" })
        expect(made.headers.get("content-security-policy")).toContain("default-src 'none'")
        expect((yield* visitor.get("/tea")).body).toBe("Tea for ann@example.com")
        const [, link = ""] = yield* app.says(/To ann@example\.com[^]*?https:\/\/teapots\.example(\/verify\/\S+)/)
        expect((yield* visitor.get(link)).location).toBe("/account")
        expect((yield* visitor.get("/account")).body).toContain("<p>E-mail verified!</p>")
        // The link is in the letter, and nowhere else in what the program wrote.
        expect(app.output().stdout.split(link)).toHaveLength(2)
        expect(app.output().stderr).toBe("")
      }),
    60_000
  )

  it("names the limits that the code has", () => {
    const said = (path: string, { limit, window }: typeof Limits.login) =>
      expect(page).toMatch(new RegExp(`\\| ${path} \\|.* ${limit} (?:letters )?in ${Duration.toSeconds(window)} s`))
    said("`/register`", Limits.register)
    said("`/login`", Limits.login)
    said("`/login`", Limits.loginOfAccount)
    said("`/verify/…`", Limits.verify)
    said("resend", Limits.resend)
    said("resend", Limits.resendOfAccount)
    said("`/forgot`", Limits.forgot)
    said("`/forgot`", Limits.forgotOfAccount)
    said("`/reset/…`", Limits.reset)
    said("`/password`", Limits.password)
  })

  it("names the bounds that the work after an answer has", () => {
    expect(page).toContain(`runs ${LiveAfterwards.defaults.concurrency} pieces of work at a time`)
    expect(LiveAfterwards.defaults.queue).toBe(1000)
    expect(page).toContain(`waits ${Duration.toSeconds(LiveAfterwards.defaults.deadline)} seconds`)
  })
})
