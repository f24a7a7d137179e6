// The rate of the demo's route that throws, reported and answered for production, against its home page.
import { mkdtempSync, rmSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Built from "../Built.ts"
import * as Load from "../Load.ts"
import type { Options } from "../Options.ts"
import * as Rounds from "../Rounds.ts"
import type { Row } from "../Row.ts"

const connections = 32

// One connection that sends the next request as soon as it has the response. The usual load generators do not count a 500 as a response.
const ask = (url: URL, status: number, until: number): Promise<number> =>
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
      if (!received.startsWith(`HTTP/1.1 ${status} `)) return void reject(new Error(received.slice(0, head)))
      received = ""
      responses++
      if (performance.now() < until) socket.write(request)
      else socket.end(() => resolve(responses))
    })
  })

const rate = async (url: string, status: number, seconds: number): Promise<number> => {
  const began = performance.now()
  const clients = Array.from({ length: connections }, () => ask(new URL(url), status, began + seconds * 1000))
  const responses = (await Promise.all(clients)).reduce((sum, count) => sum + count, 0)
  return (responses * 1000) / (performance.now() - began)
}

export const measure = async ({ quick, rounds }: Options): Promise<ReadonlyArray<Row>> => {
  const storage = mkdtempSync(join(tmpdir(), "bench-errors-"))
  const program = await Built.bundle("bench/server/Program.ts")
  const server = await Load.serve([program], { PORT: "0", STORAGE_DIR: storage })
  const seconds = quick ? 1 : 3
  const takes = {
    fine: () => rate(`${server.url}/`, 200, seconds),
    fails: () => rate(`${server.url}/error`, 500, seconds)
  }
  try {
    // The first round is for the engine to warm up.
    await Rounds.take(takes, 1)
    const rates = await Rounds.take(takes, rounds("failing"))
    return [
      {
        subject: "a route that throws, in production / the home page",
        ...Rounds.compared(rates, "fails", "fine"),
        unit: "responses/s",
        bar: 0.8
      }
    ]
  } finally {
    await server.stop()
    rmSync(storage, { recursive: true, force: true })
  }
}
