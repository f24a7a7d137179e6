// Fastify with the headers that our pipeline sends, its own logger to a file, and a histogram of the duration of requests.
import promClient from "prom-client"
import { create } from "./FastifyRecorded.mjs"

const headers = JSON.parse(process.env.HEADERS)
const app = create(process.env.LOG)
app.addHook("onSend", async (request, reply, payload) => {
  reply.headers(headers)
  reply.header("x-request-id", request.id)
  return payload
})
// Its bytes by a compiled schema: https://fastify.dev/docs/latest/Reference/Validation-and-Serialization/#serialization
const schema = {
  response: { 200: { type: "object", properties: { hello: { type: "string" } } } }
}
app.get("/hello", { schema }, async () => ({ hello: "world" }))
app.get("/metrics", async () => promClient.register.metrics())
const url = await app.listen({ port: 0, host: "127.0.0.1" })
process.stdout.write(`listening on ${url}\n`)
