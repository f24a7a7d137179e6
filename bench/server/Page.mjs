// Bare node:http that sends recorded responses: RESPONSES is JSON of path, status, header lines and body.
import { createServer } from "node:http"

const responses = new Map(JSON.parse(process.env.RESPONSES).map((one) => [one.path, one]))

createServer((request, response) => {
  const { body, headers, status } = responses.get(request.url) ?? { body: "", headers: [], status: 404 }
  response.writeHead(status, headers)
  response.end(body)
}).listen(0, "127.0.0.1", function () {
  process.stdout.write(`listening on http://127.0.0.1:${this.address().port}\n`)
})
