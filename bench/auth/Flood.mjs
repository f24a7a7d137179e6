// People who guess passwords: so many connections, each guess from another address and for another account.
//   Flood.mjs URL CONNECTIONS SECONDS HEADERS KIND
import { Agent, request } from "node:http"

const [url, connections, seconds, headers, kind] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) })
const began = performance.now()
const until = began + Number(seconds) * 1000
const statuses = {}
let count = 0

const guess = () =>
  new Promise((resolve) => {
    const number = count++
    const email = kind === "known" ? `account-${number % 2000}@example.com` : `nobody-${number}@example.com`
    const password = kind === "known" ? "a password that is right" : "a password that is wrong"
    const body = JSON.stringify({ email, password })
    const peer = `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`
    const sent = request(
      url,
      {
        method: "POST",
        agent,
        headers: {
          ...JSON.parse(headers),
          accept: "application/json",
          "content-type": "application/json",
          "content-length": Buffer.byteLength(body),
          "x-forwarded-for": peer
        }
      },
      (response) => {
        statuses[response.statusCode] = (statuses[response.statusCode] ?? 0) + 1
        response.resume()
        response.on("end", resolve)
      }
    )
    sent.on("error", resolve)
    sent.end(body)
  })

await Promise.all(
  Array.from({ length: Number(connections) }, async () => {
    while (performance.now() < until) await guess()
  })
)
agent.destroy()
process.stdout.write(JSON.stringify({ statuses, seconds: (performance.now() - began) / 1000 }))
