// Fastify with the headers that our pipeline sends, its own logger to a file, and a histogram of the duration of requests.
import Fastify from "fastify"
import promClient from "prom-client"

const headers = JSON.parse(process.env.HEADERS)
const app = Fastify({ logger: { file: process.env.LOG } })
const duration = new promClient.Histogram({
  name: "http_request_duration_seconds",
  help: "How long requests took.",
  labelNames: ["method", "route", "status"]
})
app.addHook("onSend", async (request, reply, payload) => {
  reply.headers(headers)
  reply.header("x-request-id", request.id)
  return payload
})
app.addHook("onResponse", async (request, reply) => {
  const labels = { method: request.method, route: request.routeOptions.url, status: reply.statusCode }
  duration.observe(labels, reply.elapsedTime / 1000)
})
app.get("/hello", async () => ({ hello: "world" }))
app.get("/metrics", async () => promClient.register.metrics())
const url = await app.listen({ port: 0, host: "127.0.0.1" })
process.stdout.write(`listening on ${url}\n`)
