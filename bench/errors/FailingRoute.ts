// What the demo's route that throws takes, reported and answered for production, against routes with the same page.
import { mkdtempSync, rmSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Built from "../Built.ts"
import * as Load from "../Load.ts"
import type { Options } from "../Options.ts"
import * as Rounds from "../Rounds.ts"
import type { Row } from "../Row.ts"
import { processorSeconds } from "../server/Process.ts"

const connections = 32

// One connection that sends the next request as soon as it has the response. The usual load generators do not count a 500 as a response.
const ask = (url: URL, until: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const request = `GET ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nAccept: text/html\r\n\r\n`
    const socket = connect(Number(url.port), url.hostname, () => socket.write(request))
    let received = ""
    let responses = 0
    socket.setEncoding("latin1").on("error", reject)
    socket.on("data", (chunk) => {
      received += String(chunk)
      const head = received.indexOf("\r\n\r\n")
      if (head < 0) return
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(received.slice(0, head))?.[1])
      if (received.length < head + 4 + length) return
      if (!received.startsWith("HTTP/1.1 500 ")) return void reject(new Error(received.slice(0, head)))
      received = ""
      responses++
      if (performance.now() < until) socket.write(request)
      else socket.end(() => resolve(responses))
    })
  })

// Reports are made after their responses: what they cost is in the processor time of the server.
const rate = async ({ pid }: Load.Server, url: string, seconds: number): Promise<number> => {
  const before = processorSeconds(pid)
  const until = performance.now() + seconds * 1000
  const clients = Array.from({ length: connections }, () => ask(new URL(url), until))
  const responses = (await Promise.all(clients)).reduce((sum, count) => sum + count, 0)
  return responses / (processorSeconds(pid) - before)
}

const unit = "responses per processor second"

export const measure = async ({ quick, rounds }: Options): Promise<ReadonlyArray<Row>> => {
  const storage = mkdtempSync(join(tmpdir(), "bench-errors-"))
  const program = await Built.bundle("bench/server/Program.ts")
  const server = await Load.serve([program], { PORT: "0", STORAGE_DIR: storage })
  const seconds = quick ? 1 : 3
  // The page shows the id of its request.
  const headers = { accept: "text/html", "x-request-id": "bench" }
  const target = (path: string) => ({ url: server.url + path, headers })
  const [throws, page, stack] = [target("/error"), target("/error/page"), target("/error/stack")]
  const takes = {
    throws: () => rate(server, throws.url, seconds),
    page: () => rate(server, page.url, seconds),
    stack: () => rate(server, stack.url, seconds)
  }
  try {
    await Load.same(throws, page)
    await Load.same(throws, stack)
    // The first round is for the engine to warm up.
    await Rounds.take(takes, 1)
    const rates = await Rounds.take(takes, rounds("failing"))
    return [
      {
        subject: "a route that throws, in production / its page without a throw",
        ...Rounds.compared(rates, "throws", "page"),
        unit,
        bar: 0.8
      },
      {
        subject: "a route that throws, in production / one that reads a stack and has the page",
        ...Rounds.compared(rates, "throws", "stack"),
        unit,
        bar: undefined
      }
    ]
  } finally {
    await server.stop()
    rmSync(storage, { recursive: true, force: true })
  }
}
