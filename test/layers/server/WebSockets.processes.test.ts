// WebSockets on two worker processes that share a port: a session that ends on one of them ends the sockets of the other.
import { expect, layer } from "@effect/vitest"
import { Context, Effect, Layer, Schema } from "effect"
import * as TestClient from "../../../testing/TestClient.ts"
import { bundle } from "../../support/Bundle.ts"
import { Connection, type Sent } from "../../support/Connection.ts"
import { describeDatabases, TestDatabase } from "../../support/Databases.ts"
import { eventually } from "../../support/Eventually.ts"
import * as NodeProcess from "../../support/NodeProcess.ts"
import { processTree } from "../../support/ProcessTree.ts"
import * as WebSocketClient from "../../support/WebSocketClient.ts"

type Headers = Readonly<Record<string, string>>

/** A socket, and the worker that holds it: its number, and the name that its responses carry. */
interface Held extends WebSocketClient.WebSocketClient {
  readonly pid: number
  readonly name: string
}

class Program extends Context.Tag("test/WebSockets/Program")<
  Program,
  { readonly url: string; readonly process: NodeProcess.Process }
>() {}

const script = bundle("../layers/server/LiveProgram.ts")

const program = Layer.scoped(
  Program,
  Effect.gen(function* () {
    const { url: database } = yield* TestDatabase
    const env = {
      PORT: "0",
      WORKERS: "2",
      DATABASE_URL: database,
      STORAGE_DIR: yield* NodeProcess.folder,
      AUTH_ARGON2_MEMORY: "19456",
      AUTH_ARGON2_TIME: "2"
    }
    const process = yield* NodeProcess.start([script], env)
    const [, url = ""] = yield* process.says(/listening on (http:\/\/\S+)/)
    return { url, process }
  })
)

const nameOf = (requestId: unknown): string => String(requestId).split("-")[0] ?? ""

const connect = (path: string, headers: Headers) =>
  Effect.gen(function* () {
    const { url } = yield* Program
    const client = yield* WebSocketClient.open(`${url}${path}`, headers)
    expect([path, client.status]).toEqual([path, 101])
    const held: Held = { ...client, pid: Number(yield* client.next), name: nameOf(client.headers["x-request-id"]) }
    return held
  })

/** A socket on each of the two workers. The system chooses who accepts, so some more are opened until there are two. */
const both = (path: string, headers: Headers) =>
  Effect.gen(function* () {
    const found = new Map<number, Held>()
    while (found.size < 2) {
      for (const held of yield* Effect.all([connect(path, headers), connect(path, headers)], { concurrency: 2 })) {
        if (found.has(held.pid)) held.socket.terminate()
        else found.set(held.pid, held)
      }
    }
    return [...found.values()].sort((a, b) => a.pid - b.pid)
  })

/** Sends a request to the worker of this name. */
const at = (name: string, sent: Sent) =>
  Effect.flatMap(Program, ({ url }) =>
    Effect.promise(async () => {
      for (;;) {
        const connection = await Connection.open(url)
        try {
          const { process } = await connection.get("/csrf")
          if (process === name) return await connection.send(sent)
        } finally {
          connection.close()
        }
      }
    })
  )

const Bearer = Schema.Struct({ bearer: Schema.Struct({ token: Schema.String }) })
const Token = Schema.Struct({ handle: Schema.String, secret: Schema.String })

let people = 0
const credentials = () => ({ email: `person-${++people}@example.com`, password: "correct-horse-battery" })

const answer = Effect.fnUntraced(function* <A, I>(
  path: string,
  json: unknown,
  schema: Schema.Schema<A, I>,
  headers?: Headers
) {
  const client = TestClient.make((yield* Program).url)
  const response = yield* client.request(path, { method: "POST", json, ...(headers && { headers }) })
  expect([path, response.status]).toEqual([path, 201])
  return Schema.decodeUnknownSync(schema)(response.json)
})

const bearerOf = (secret: string) => ({ authorization: `Bearer ${secret}` })

const signedUp = Effect.map(
  Effect.suspend(() => answer("/api/bearer/sign-up", credentials(), Bearer)),
  ({ bearer }) => bearerOf(bearer.token)
)

const codes = (held: ReadonlyArray<Held>) => Effect.all(held.map(({ closed }) => Effect.map(closed, ([code]) => code)))

const says = Effect.fnUntraced(function* (held: ReadonlyArray<Held>) {
  for (const { next, send } of held) {
    send("still here")
    expect(yield* next).toBe("still here")
  }
})

const live = { excludeTestServices: true } as const

describeDatabases("The WebSockets of two workers", (database) => {
  layer(
    Layer.provideMerge(program, database.layer),
    live
  )((it) => {
    it.scoped("close with 1008 on both when one has served the sign-out", () =>
      Effect.gen(function* () {
        const { url } = yield* Program
        const ann = TestClient.make(url)
        const { email, password } = credentials()
        yield* ann.submit("/register", { email, password, password_confirmation: password })
        const cookie = [...ann.jar].map(([name, value]) => `${name}=${value}`).join("; ")
        const bob = yield* signedUp
        const cid = yield* signedUp
        const pages = yield* both("/live", { cookie, origin: url })
        const bearers = yield* both("/api/live", bob)
        const others = yield* both("/api/live", cid)
        const [{ name } = { name: "" }] = pages
        const { json } = yield* ann.json("GET", "/csrf")
        const { token } = Schema.decodeUnknownSync(Schema.Struct({ token: Schema.String }))(json)
        const logout = { method: "POST", path: "/logout", headers: { cookie, "x-csrf-token": token } }
        expect((yield* at(name, logout)).status).toBe(303)
        expect((yield* at(name, { method: "POST", path: "/api/sign-out", headers: bob })).status).toBe(200)
        expect(yield* codes([...pages, ...bearers])).toEqual([1008, 1008, 1008, 1008])
        yield* says(others)
      })
    )

    it.scoped("close with 1008 on both when one has served a revocation, of a session or of an API token", () =>
      Effect.gen(function* () {
        const person = credentials()
        const { bearer } = yield* answer("/api/bearer/sign-up", person, Bearer)
        const here = bearerOf(bearer.token)
        const wanted = { name: "live", scopes: ["live:read"], expires_in: 30 }
        const token = yield* answer("/api/tokens", wanted, Token, here)
        const kept = yield* answer("/api/tokens", { ...wanted, name: "kept" }, Token, here)
        const client = TestClient.make((yield* Program).url)
        const signedIn = yield* client.request("/api/bearer/sign-in", { method: "POST", json: person })
        const elsewhere = Schema.decodeUnknownSync(Bearer)(signedIn.json).bearer.token
        const ended = [
          ...(yield* both("/api/live", bearerOf(elsewhere))),
          ...(yield* both("/api/live", bearerOf(token.secret)))
        ]
        const going = [...(yield* both("/api/live", here)), ...(yield* both("/api/live", bearerOf(kept.secret)))]
        const [{ name } = { name: "" }] = ended
        const revoke = { method: "DELETE", path: `/api/tokens/${token.handle}`, headers: here }
        expect((yield* at(name, revoke)).status).toBe(200)
        expect((yield* at(name, { method: "DELETE", path: "/api/sessions", headers: here })).status).toBe(200)
        expect(yield* codes(ended)).toEqual([1008, 1008, 1008, 1008])
        yield* says(going)
      })
    )

    it.scoped("close with 1001 when their worker is stopped, and those of the others when the program is", () =>
      Effect.gen(function* () {
        const { process } = yield* Program
        const dan = yield* signedUp
        const [first, second] = yield* both("/api/live", dan)
        if (first === undefined || second === undefined) return yield* Effect.dieMessage("no sockets")
        globalThis.process.kill(first.pid, "SIGTERM")
        expect((yield* first.closed)[0]).toBe(1001)
        yield* says([second])
        // Its successor takes connections, and knows the session.
        yield* eventually(
          Effect.sync(() => processTree(process.pid)),
          (pids) => pids.length === 3 && !pids.includes(first.pid)
        )
        const again = (yield* both("/api/live", dan)).filter(({ pid }) => pid !== second.pid)
        expect(again).toHaveLength(1)
        process.signal("SIGTERM")
        expect(yield* codes([second, ...again])).toEqual([1001, 1001])
        expect(yield* process.ended).toEqual({ code: 0, signal: null })
      })
    )
  })
})
