// Requests by chance, over connections that each send the next one with the response: node Mixed.mjs URL FILE SEED SECONDS
// CONNECTIONS. The file lists kinds of requests, each with its weight, the status that it expects and its requests, which are
// sent in turn. Kinds are drawn without replacement, as many of each as its weight until all are drawn: a sign-in more in a round
// would be a tenth of its time. The same seed draws the same kinds. Each seed begins further on in them: who signed in in the
// last run would meet the limit of sign-ins. Prints the responses a second as JSON.
import { readFileSync } from "node:fs"
import { connect } from "node:net"

const [address, file, seed, seconds, connections] = process.argv.slice(2)
const { host, hostname, port } = new URL(address)
const kinds = JSON.parse(readFileSync(file, "utf8")).map(({ name, requests, status, weight }) => ({
  name,
  status,
  weight,
  next: Number(seed) * 97,
  requests: requests.map(({ body = "", headers = {}, method = "GET", path }) => {
    const lines = Object.entries({ host, ...headers, ...(body !== "" && { "content-length": String(body.length) }) })
    return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`
  })
}))

// A linear congruence: any generator will do that draws the same for both.
let state = Number(seed) >>> 0
const random = () => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return state / 2 ** 32
}

const all = kinds.flatMap((kind) => Array(kind.weight).fill(kind))
let left = []

const draw = () => {
  if (left.length === 0) left = [...all]
  const index = Math.floor(random() * left.length)
  const kind = left[index]
  left[index] = left.at(-1)
  left.pop()
  return kind
}

const began = performance.now()
const until = began + Number(seconds) * 1000
let responses = 0

const open = () =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => send())
    socket.setNoDelay(true).setEncoding("latin1").on("error", reject)
    let received = ""
    let kind
    const send = () => {
      if (performance.now() >= until) return socket.end(resolve)
      kind = draw()
      socket.write(kind.requests[kind.next++ % kind.requests.length])
    }
    socket.on("data", (chunk) => {
      received += chunk
      const end = received.indexOf("\r\n\r\n")
      if (end < 0) return
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(received.slice(0, end + 2))?.[1] ?? 0)
      if (received.length < end + 4 + length) return
      if (!received.startsWith(`HTTP/1.1 ${kind.status} `)) {
        return reject(new Error(`${kind.name}: ${received.slice(0, 600)}`))
      }
      received = ""
      responses++
      send()
    })
    socket.on("close", () => resolve())
  })

await Promise.all(Array.from({ length: Number(connections) }, open))
const rate = (responses * 1000) / (performance.now() - began)
process.stdout.write(JSON.stringify({ rate }))
process.exit(0)
