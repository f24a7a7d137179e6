// The corpus of leaked passwords, against a server of our own over real sockets.
import { expect, it } from "@effect/vitest"
import { Effect, Metric, Redacted } from "effect"
import { createHash } from "node:crypto"
import * as Http from "node:http"
import * as BreachCorpus from "../../../layers/auth/internal/BreachCorpus.ts"

const password = Redacted.make("quiet harbour")
const digest = createHash("sha1").update("quiet harbour").digest("hex").toUpperCase()
const [prefix, suffix] = [digest.slice(0, 5), digest.slice(5)]
const other = `${"0".repeat(34)}1`

type Answer = (req: Http.IncomingMessage, res: Http.ServerResponse) => void

const serve = (answer: Answer) =>
  Effect.acquireRelease(
    Effect.async<{ readonly server: Http.Server; readonly url: string }>((resume) => {
      const server = Http.createServer(answer)
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        resume(Effect.succeed({ server, url: `http://127.0.0.1:${port}` }))
      })
    }),
    ({ server }) => Effect.async<void>((resume) => void server.close(() => resume(Effect.void)).closeAllConnections())
  )

const failures = Effect.map(Metric.value(BreachCorpus.failedLookups), ({ count }) => count)

const text =
  (body: string): Answer =>
  (_, res) =>
    void res.end(body)

it.scopedLive("sends five digits of the digest and asks for padding, nothing else", () =>
  Effect.gen(function* () {
    const seen: Array<unknown> = []
    const { url } = yield* serve((req, res) => {
      seen.push([req.method, req.url, req.headers["add-padding"], JSON.stringify(req.headers).includes(suffix)])
      res.end(`${other}:3\r\n${suffix}:12\r\n`)
    })
    expect(yield* BreachCorpus.contained(password, { url })).toBe(true)
    expect(seen).toEqual([["GET", `/range/${prefix}`, "true", false]])
  })
)

it.scopedLive.each([
  ["another password", `${other}:3\r\n`, false],
  ["a padded line", `${suffix}:0\r\n${other}:3`, false],
  ["the last line without an end", `${other}:3\n${suffix}:1`, true],
  ["nothing", "", false]
] as const)("reads %s", ([, body, expected]) =>
  Effect.gen(function* () {
    const before = yield* failures
    const { url } = yield* serve(text(body))
    expect(yield* BreachCorpus.contained(password, { url })).toBe(expected)
    expect(yield* failures).toBe(before)
  })
)

const endless: Answer = (_, res) => {
  const more = () => {
    while (!res.destroyed && res.write("A".repeat(65_536)));
  }
  res.on("drain", more)
  more()
}

it.scopedLive.each([
  ["a server that never answers", () => undefined],
  ["a body that never ends", (_, res) => void res.write(`${other}:3\r\n`)],
  ["500", (_, res) => void res.writeHead(500).end(`${suffix}:12`)],
  ["a redirect", (_, res) => void res.writeHead(302, { location: "http://127.0.0.1:1/" }).end()],
  ["garbage", text("<html>Sign in to the network</html>")],
  ["a huge body", endless],
  ["a connection that is cut", (req) => void req.socket.destroy()],
  ["half a body", (_, res) => void res.writeHead(200, { "content-length": 100 }).write("A", () => res.destroy())]
] satisfies ReadonlyArray<readonly [string, Answer]>)("accepts the password and counts the failure: %s", ([, answer]) =>
  Effect.gen(function* () {
    const before = yield* failures
    const { url } = yield* serve(answer)
    expect(yield* BreachCorpus.contained(password, { url, timeout: 300 })).toBe(false)
    expect(yield* failures).toBe(before + 1)
  })
)

it.scopedLive("accepts the password where nothing listens", () =>
  Effect.gen(function* () {
    expect(yield* BreachCorpus.contained(password, { url: "http://127.0.0.1:1" })).toBe(false)
  })
)
