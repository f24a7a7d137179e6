// The least that node:http can do: one JSON answer, and the probe's bytes.
import { createServer } from "node:http"

const hello = { hello: "world" }
const probe = '{"status":"ok"}'

createServer((request, response) => {
  if (request.url === "/livez") {
    response.writeHead(200, ["content-type", "application/json", "cache-control", "no-store", "content-length", "15"])
    response.end(probe)
    return
  }
  const body = JSON.stringify(hello)
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) })
  response.end(body)
}).listen(0, "127.0.0.1", function () {
  process.stdout.write(`listening on http://127.0.0.1:${this.address().port}\n`)
})
