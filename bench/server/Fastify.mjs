// Fastify with the headers that our pipeline sends.
import Fastify from "fastify"

const headers = JSON.parse(process.env.HEADERS)
const app = Fastify()
let count = 0
app.addHook("onSend", async (request, reply, payload) => {
  reply.headers(headers)
  reply.header("x-request-id", `fastify-${(count++).toString(36)}`)
  return payload
})
// Its bytes by a compiled schema: https://fastify.dev/docs/latest/Reference/Validation-and-Serialization/#serialization
const schema = {
  response: { 200: { type: "object", properties: { hello: { type: "string" } } } }
}
app.get("/hello", { schema }, async () => ({ hello: "world" }))
const url = await app.listen({ port: 0, host: "127.0.0.1" })
process.stdout.write(`listening on ${url}\n`)
