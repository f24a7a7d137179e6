// Where to look: what a start prints for the person who started it.
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { join } from "node:path"
import { opened, places } from "../../app/Serve.ts"
import { Transport } from "../../src/mail/MailConfig.ts"
import { Address, Line, Sender } from "../../src/mail/MailMessage.ts"
import * as Demo from "../support/Demo.ts"

const sender = new Sender({ name: Line.make(""), address: Address.make("app@example.com") })
const server = { host: "mail.example.com", port: 587, security: "starttls", credentials: undefined } as const
const files = { sender, transport: Transport.File({ folder: "storage/mails" }) }

describe("the places of a program", () => {
  it("are five lines in development", () => {
    expect(places({ environment: "development", mail: files }, "http://127.0.0.1:1", ["/", "/api/docs"])).toEqual([
      "  pages    http://127.0.0.1:1/",
      "  e-mails  http://127.0.0.1:1/_debug/mail",
      "  panel    http://127.0.0.1:1/_debug",
      "  API      http://127.0.0.1:1/api/docs",
      "  metrics  http://127.0.0.1:1/metrics, http://127.0.0.1:1/health"
    ])
  })

  it("say where e-mails go otherwise, and name no API where there is none", () => {
    const lines = (transport: Transport) =>
      places({ environment: "production", mail: { sender, transport } }, "http://127.0.0.1:1", [])
    expect(lines(files.transport).slice(1, 3)).toEqual([
      "  e-mails  files in storage/mails",
      "  panel    with FRAMEWORK_ENVIRONMENT=development"
    ])
    const smtp = Transport.Smtp({ server })
    expect(lines(smtp)).toContain("  e-mails  sent by mail.example.com")
    expect(lines(Transport.Queue({ delivery: smtp }))).toEqual(lines(smtp))
    expect(lines(Transport.Queue({ delivery: files.transport }))).toEqual(lines(files.transport))
    expect(lines(files.transport)).toHaveLength(4)
  })
})

describe("the address to open", () => {
  it("is APP_URL where this is the same program under another name of the machine", () => {
    expect(opened("http://localhost:8087", "http://127.0.0.1:8087")).toBe("http://localhost:8087")
    expect(opened("http://app.localhost:3000", "http://0.0.0.0:3000")).toBe("http://app.localhost:3000")
    expect(opened("http://localhost:80/shop", "http://[::1]:80")).toBe("http://localhost")
  })

  it("is where the program listens otherwise", () => {
    for (const appUrl of ["http://localhost:8087", "https://localhost:3000", "https://app.example.com"]) {
      expect(opened(appUrl, "http://127.0.0.1:3000")).toBe("http://127.0.0.1:3000")
    }
    expect(opened("http://localhost:3000", "http://192.168.1.5:3000")).toBe("http://192.168.1.5:3000")
  })
})

describe("the demo in development", () => {
  it.scopedLive("prints the API of its workers as well", () =>
    Effect.gen(function* () {
      const demo = yield* Demo.demo({ FRAMEWORK_ENVIRONMENT: "development", WORKERS: "2" })
      yield* demo.says(/^ {2}metrics {2}/m)
      expect(demo.output().stdout).toContain(`\n  API      ${demo.url}/api/docs\n`)
    })
  )

  it.scopedLive("prints places that are there", () =>
    Effect.gen(function* () {
      const demo = yield* Demo.demo({ FRAMEWORK_ENVIRONMENT: "development" })
      yield* demo.says(/^ {2}metrics {2}/m)
      const [, ...lines] = demo.output().stdout.trimEnd().split("\n")
      expect(lines.map((line) => line.trim().split(/ +/)[0])).toEqual(["pages", "e-mails", "panel", "API", "metrics"])
      const urls = lines.flatMap((line) => line.match(/http:\/\/[^\s,]+/g) ?? [])
      expect(urls).toHaveLength(6)
      for (const url of urls) {
        const { status } = yield* Effect.promise(() => fetch(url))
        expect([url, status]).toEqual([url, 200])
      }
      expect(demo.storage).not.toBe(join(Demo.root, "storage"))
    })
  )
})
