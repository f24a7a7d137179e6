import { expect, it } from "@effect/vitest"
import { once } from "node:events"
import * as Http from "node:http"
import * as Net from "node:net"
import { describe } from "vitest"
import * as WholeBody from "../../../layers/server/internal/WholeBody.ts"

const bodies: Readonly<Record<string, readonly [string | Uint8Array, BufferEncoding]>> = {
  "/ascii": ["plain text", "latin1"],
  "/text": ["naïve – 🙂", "utf8"],
  "/bytes": [new Uint8Array([0, 255, 13, 10]), "utf8"],
  "/large": ["x".repeat(2_000_000), "latin1"]
}

const serve = async (use: (port: number, writes: Array<number>) => Promise<void>) => {
  // How many chunks each write to a socket has.
  const writes: Array<number> = []
  const server = Http.createServer((req, res) => {
    const [body, encoding] = bodies[req.url ?? ""] ?? ["?", "latin1"]
    res.writeHead(200, ["content-length", String(Buffer.byteLength(body))])
    WholeBody.end(res, body, encoding)
  })
  server.on("connection", (socket: Net.Socket) => {
    const one = socket._write.bind(socket)
    const several = socket._writev?.bind(socket)
    socket._write = (chunk, encoding, done) => {
      writes.push(1)
      one(chunk, encoding, done)
    }
    socket._writev = (chunks, done) => {
      writes.push(chunks.length)
      several?.(chunks, done)
    }
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("no address")
  try {
    await use(address.port, writes)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

describe("A body in memory", () => {
  it.each(Object.keys(bodies))("arrives whole: %s", (path) =>
    serve(async (port) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`)
      const [body = ""] = bodies[path] ?? []
      expect(Buffer.from(await response.arrayBuffer()).equals(Buffer.from(body))).toBe(true)
    })
  )

  it("is one chunk with its head", () =>
    serve(async (port, writes) => {
      await (await fetch(`http://127.0.0.1:${port}/ascii`)).text()
      await (await fetch(`http://127.0.0.1:${port}/text`)).text()
      expect(writes).toEqual([1, 1])
    }))

  it("waits for its turn on a connection with several requests at once", () =>
    serve(async (port) => {
      const socket = Net.connect(port, "127.0.0.1")
      const paths = ["/large", "/ascii", "/text", "/ascii"]
      const head = "Host: localhost\r\n"
      socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\n${head}\r\n`).join(""))
      socket.write(`GET /ascii HTTP/1.1\r\n${head}Connection: close\r\n\r\n`)
      let received = ""
      socket.setEncoding("utf8").on("data", (text: string) => (received += text))
      await once(socket, "close")
      const found = received.split(/HTTP\/1\.1 200 OK\r\n(?:[^\r]+\r\n)+\r\n/).slice(1)
      expect(found).toEqual([...paths, "/ascii"].map((path) => bodies[path]?.[0]))
    }))

  it("ends a response whose client has gone", async () => {
    const server = Http.createServer()
    await once(server.listen(0, "127.0.0.1"), "listening")
    const address = server.address()
    if (typeof address !== "object" || address === null) throw new Error("no address")
    const client = Net.connect(address.port, "127.0.0.1")
    client.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    const [, res] = await once(server, "request")
    client.destroy()
    await once(res, "close")
    WholeBody.end(res, "late")
    expect([res.destroyed, res.writableEnded]).toEqual([true, true])
    server.close()
  })
})
