import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { createServer, type IncomingMessage } from "node:http"
import { type AddressInfo, connect, Socket } from "node:net"
import * as SocketParser from "../../../layers/server/internal/SocketParser.ts"

/** Sends bytes to a node server, and returns what `see` returned for each request until the connection closes. */
const parse = <A>(bytes: string, see: (req: IncomingMessage) => A): Effect.Effect<ReadonlyArray<A>> =>
  Effect.async((resume) => {
    const seen: Array<A> = []
    const server = createServer((req, res) => {
      seen.push(see(req))
      res.end()
    })
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      const socket = connect(port, "127.0.0.1", () => socket.end(bytes))
      socket.resume().on("close", () => server.close(() => resume(Effect.succeed(seen))))
    })
  })

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`

describe("node's parser", () => {
  it.effect("shows the bytes that it is reading", () =>
    Effect.gen(function* () {
      const seen = yield* parse(get("/a") + get("/b"), ({ socket }) => SocketParser.currentBytes(socket)?.toString())
      expect(seen).toEqual([get("/a") + get("/b"), get("/a") + get("/b")])
    })
  )

  it.effect("creates no further request once it is stopped", () =>
    Effect.gen(function* () {
      const seen = yield* parse(get("/a") + get("/b") + get("/c"), ({ socket, url }) => {
        if (url === "/b") SocketParser.stop(socket)
        return url
      })
      expect(seen).toEqual(["/a", "/b"])
    })
  )

  it("is left alone where it is missing or different", () => {
    const socket = new Socket()
    expect(SocketParser.currentBytes(socket)).toBeUndefined()
    expect(SocketParser.currentBytes(Object.assign(socket, { parser: { getCurrentBuffer: "none" } }))).toBeUndefined()
    SocketParser.stop(socket)
    expect(Reflect.get(socket, "parser")).toEqual({ getCurrentBuffer: "none" })
  })
})
