// The development panel in a browser: requests and mail, without a complaint of the browser or of axe.
import { HttpLayerRouter } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Option, Schema } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as FileMailbox from "../../layers/mail/internal/FileMailbox.ts"
import * as SqlJobs from "../../layers/jobs/SqlJobs.ts"
import * as DevelopmentRecorder from "../../layers/devtools/internal/DevelopmentRecorder.ts"
import * as Respond from "../../routes/session/Respond.ts"
import * as Job from "../../src/jobs/Job.ts"
import * as Jobs from "../../src/jobs/Jobs.ts"
import { JobStore } from "../../src/jobs/internal/JobStore.ts"
import { ServerAddress } from "../../src/server/ServerAddress.ts"
import * as TemporaryDatabase from "../../testing/TemporaryDatabase.ts"
import * as Axe from "../support/Axe.ts"
import * as Browser from "../support/Browser.ts"
import * as Chromium from "../support/Chromium.ts"
import * as Serving from "../support/Serving.ts"

const slow = Effect.gen(function* () {
  yield* Effect.forEach([1, 2, 3, 4, 5, 6], (id) =>
    Effect.withSpan(Effect.void, "sql.execute", {
      attributes: { "db.query.text": "SELECT name FROM cups WHERE id = ?", id }
    })
  ).pipe(Effect.withSpan("Cups.list"))
  yield* Effect.logWarning("The shelf is low")
  return Respond.json({})
}).pipe(Effect.provide(Layer.empty))

const routes = [
  HttpLayerRouter.route("GET", "/cups", slow),
  HttpLayerRouter.route("GET", "/broken", Effect.zipRight(slow, Effect.die(new Error("The kettle is empty")))),
  HttpLayerRouter.route("GET", "/verify/:a", Effect.succeed(Respond.text("verified")))
]

const hostile = (url: string) =>
  `<p>Hello <a href="${url}/verify/1">Confirm</a></p><img src="${url}/pixel" alt="">` +
  `<script>document.title = "ran"; fetch("${url}/pixel")</script><form action="${url}/pixel"><button>Send</button></form>`

const mail = (url: string) =>
  [
    "From: no-reply@example.com",
    "To: ada@example.com",
    "Subject: Confirm <b>your</b> address",
    'Content-Type: multipart/alternative; boundary="x"',
    "",
    "--x",
    "Content-Type: text/plain; charset=utf-8",
    "",
    `Open ${url}/verify/1. Never javascript:alert(1) <script>alert(1)</script>`,
    "--x",
    "Content-Type: text/html; charset=utf-8",
    "",
    hostile(url),
    "--x--",
    ""
  ].join("\r\n")

const name = "1700000000000-1-42.eml"

const folder = mkdtempSync(join(tmpdir(), "mailbox-"))

const Brew = Job.make("brew", { payload: Schema.Struct({ tea: Schema.String }), queue: "kitchen" })

const jobs = Layer.merge(SqlJobs.layer, Job.layerElsewhere(Brew)).pipe(Layer.provide(TemporaryDatabase.layer()))

const served = Serving.layer(routes, { environment: "development" }).pipe(
  Layer.provideMerge(Layer.mergeAll(DevelopmentRecorder.layer, FileMailbox.layer({ folder }), jobs)),
  Layer.provideMerge(
    Layer.scopedDiscard(Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))))
  )
)

const visited = Effect.gen(function* () {
  const { url } = yield* ServerAddress
  writeFileSync(join(folder, name), mail(url))
  for (const path of ["/cups", "/broken"]) {
    const headers = { "x-request-id": path.slice(1), accept: "text/html" }
    yield* Effect.promise(() => fetch(url + path, { headers }))
  }
  return url
})

Browser.describeBrowser("The development panel in a browser", () => {
  layer(Layer.merge(Chromium.layer, served), { excludeTestServices: true })((it) => {
    it.scoped("is accessible, follows its policy and fits, in light and in dark, on a phone and on a desk", () =>
      Effect.gen(function* () {
        for (const [colorScheme, width] of [
          ["light", 1280],
          ["dark", 375]
        ] as const) {
          // For each: the panel keeps a request for a minute.
          const url = yield* visited
          const { complaints, page } = yield* Browser.watch(yield* Chromium.Chromium, {
            colorScheme,
            viewport: { width, height: 800 }
          })
          for (const path of [
            "/_debug",
            "/_debug/requests/cups",
            "/_debug/requests/broken",
            "/_debug/jobs",
            "/_debug/mail",
            `/_debug/mail/${name}`,
            "/broken"
          ]) {
            yield* Effect.promise(() => page.goto(url + path))
            expect([path, yield* Axe.violations(page)]).toEqual([path, []])
            expect([path, yield* Browser.overflow(page)]).toEqual([path, 0])
          }
          // The message tries a script, an image and a form of another place.
          const own = complaints.filter((line) => !/status of 500|sandboxed|Content Security Policy/.test(line))
          expect(own).toEqual([])
        }
      })
    )

    it.scoped("lists jobs with their state and the reason of a failure, without their payloads", () =>
      Effect.gen(function* () {
        const url = yield* visited
        yield* Jobs.enqueueAll(Brew, [{ tea: "assam" }, { tea: "sencha" }])
        const { claim, settle } = yield* JobStore
        const [one] = yield* claim("kitchen", 1)
        yield* settle(
          Option.toArray(Option.fromNullable(one)).map((claim) => ({
            claim,
            outcome: { _tag: "Failed" as const, reason: "The <b>kettle</b> is empty" },
            erase: false
          }))
        )
        const { page } = yield* Browser.watch(yield* Chromium.Chromium)
        yield* Effect.promise(() => page.goto(`${url}/_debug/jobs`))
        const content = yield* Effect.promise(() => page.locator("main").innerText())
        expect(content).toContain("kitchen: 1 failed")
        expect(content).toContain("kitchen: 1 ready")
        expect(content).toContain("The <b>kettle</b> is empty")
        expect(content).not.toMatch(/assam|sencha/)
        expect(yield* Axe.violations(page)).toEqual([])
      })
    )

    it.scoped("leads from the list to a request with its timeline, its repeated statement and its log", () =>
      Effect.gen(function* () {
        const url = yield* visited
        const { page } = yield* Browser.watch(yield* Chromium.Chromium)
        yield* Effect.promise(async () => {
          await page.goto(`${url}/_debug`)
          await Browser.navigate(page, () => page.getByRole("link", { name: "GET /cups" }).first().click())
        })
        const content = yield* Effect.promise(() => page.locator("main").innerText())
        expect(content).toMatch(/Ran 6 times in one request \(n\+1\)/)
        expect(content).toContain("The shelf is low")
        expect(yield* Effect.promise(() => page.locator(".timeline tbody tr").count())).toBe(8)
      })
    )

    it.scoped("opens the links of a message in a new tab, and runs nothing of it", () =>
      Effect.gen(function* () {
        const url = yield* visited
        const { page } = yield* Browser.watch(yield* Chromium.Chromium)
        yield* Effect.promise(async () => {
          await page.goto(`${url}/_debug/mail`)
          await Browser.navigate(page, () => page.getByRole("link", { name: "Confirm <b>your</b> address" }).click())
        })
        const text = page.locator(".mail-text a")
        expect(yield* Effect.promise(() => text.allInnerTexts())).toEqual([`${url}/verify/1`])
        const popup = yield* Effect.promise(async () => {
          const opened = page.waitForEvent("popup")
          await page.frameLocator("iframe").getByRole("link", { name: "Confirm" }).click()
          const tab = await opened
          await tab.waitForLoadState()
          return { url: tab.url(), body: await tab.locator("body").innerText() }
        })
        expect(popup).toEqual({ url: `${url}/verify/1`, body: "verified" })
        expect(yield* Effect.promise(() => page.title())).toBe("Confirm <b>your</b> address")
        expect(page.url()).toBe(`${url}/_debug/mail/${name}`)
        const listed = yield* Effect.promise(() => fetch(`${url}/_debug`).then((response) => response.text()))
        expect(listed).toContain("GET /verify/:a")
        expect(listed).not.toContain("/pixel")
      })
    )

    it.scoped("is read by nobody else: names of other files and methods are refused", () =>
      Effect.gen(function* () {
        const url = yield* visited
        const statuses: Array<number> = []
        for (const path of [
          "/mail/..%2f..%2fetc%2fpasswd",
          "/mail/other.eml",
          "/mail/other.eml/html",
          "/requests/%00"
        ]) {
          statuses.push((yield* Effect.promise(() => fetch(`${url}/_debug${path}`))).status)
        }
        expect(statuses).toEqual([404, 404, 404, 404])
        expect((yield* Effect.promise(() => fetch(`${url}/_debug`, { method: "POST" }))).status).toBe(405)
        const frame = yield* Effect.promise(() => fetch(`${url}/_debug/mail/${name}/html`))
        expect(frame.headers.get("content-security-policy")).toMatch(/^default-src 'none';.* sandbox allow-popups/)
        expect(frame.headers.get("cache-control")).toBe("no-store")
      })
    )
  })
})
