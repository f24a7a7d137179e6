// Requests at a fixed rate: node FixedRate.mjs URL RATE SECONDS CONNECTIONS. Each is due at a moment that does not depend on
// the responses before it, and its time counts from then: one that waits for a connection has waited for the server.
// Prints the sorted times in microseconds as JSON. With `most` in place of the rate each connection sends the next request with
// the response, and what is printed is how many responses there were in a second: this generator takes more of the machine than
// others, and a part of what those reach may be more than this one can ask for. The first two seconds are in neither: this program
// is compiled in them, and what it sends late would count as the server's time.
import { connect } from "node:net"

const [address, rate, seconds, connections] = process.argv.slice(2)
const { host, hostname, pathname, port } = new URL(address)
const request = `GET ${pathname} HTTP/1.1\r\nhost: ${host}\r\n\r\n`
const isMost = rate === "most"
const warmUp = 2
const total = isMost ? Infinity : Math.floor(Number(rate) * (warmUp + Number(seconds)))
const interval = isMost ? 0 : 1000 / Number(rate)

const times = []
const waiting = []
let sent = 0
let answered = 0

const open = () =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => resolve(connection))
    socket.setNoDelay(true).setEncoding("latin1").on("error", reject)
    // What it was to answer would be missing among the times.
    socket.on("close", () => {
      throw new Error("the server closed a connection")
    })
    const connection = { due: undefined, send: undefined }
    let received = ""
    connection.send = (due) => {
      connection.due = due
      socket.write(request)
    }
    socket.on("data", (chunk) => {
      received += chunk
      const end = received.indexOf("\r\n\r\n")
      if (end < 0) return
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1] ?? 0)
      if (received.length < end + 4 + length) return
      if (!received.startsWith("HTTP/1.1 200")) throw new Error(received.slice(0, end))
      received = ""
      answered++
      if (connection.due >= counted) times.push(Math.round((performance.now() - connection.due) * 1000))
      const next = isMost ? performance.now() : waiting.shift()
      if (isMost && next - counted > Number(seconds) * 1000) finish()
      else if (next === undefined) idle.push(connection)
      else connection.send(next)
      if (answered === total) finish()
    })
  })

let isDone = false

const finish = () => {
  if (isDone) return
  isDone = true
  const printed = isMost ? Math.floor(times.length / Number(seconds)) : times.sort((a, b) => a - b)
  process.stdout.write(JSON.stringify(printed), () => process.exit(0))
}

const idle = await Promise.all(Array.from({ length: Number(connections) }, open))
const began = performance.now()
const counted = began + warmUp * 1000

// A timer is too coarse: the loop asks for the time in every turn.
const turn = () => {
  const now = performance.now()
  for (let due = began + sent * interval; sent < total && due <= now; due = began + ++sent * interval) {
    // In turn, or a server would close those that are never needed.
    const connection = idle.shift()
    if (connection === undefined) waiting.push(due)
    else connection.send(due)
  }
  if (sent < total) setImmediate(turn)
}
if (isMost) for (const connection of idle) connection.send(began)
else turn()
