// What InTurn.lua does, for machines without wrk: InTurn.mjs URL FILE CONNECTIONS SECONDS prints the responses a second.
import autocannon from "autocannon"
import { readFileSync } from "node:fs"

const [url, file, connections, duration] = process.argv.slice(2)
const requests = readFileSync(file, "utf8")
  .trim()
  .split("\n")
  .map((line) => {
    const [path, ...headers] = line.split("\t")
    return { method: "GET", path, headers: Object.fromEntries(headers.map((text) => text.split(": "))) }
  })
let clients = 0
const result = await autocannon({
  url,
  connections: Number(connections),
  duration: Number(duration),
  setupClient: (client) => {
    const from = Math.floor((clients++ * requests.length) / Number(connections))
    client.setRequests([...requests.slice(from), ...requests.slice(0, from)])
  }
})
if (result.non2xx > 0) throw new Error(`${url} did not respond with 2xx alone`)
process.stdout.write(String(result["2xx"] / Number(duration)))
