// Fastify with the headers that our pipeline sends, its own logger to a file, and a histogram of the duration of requests.
import Fastify from "fastify"
import pino from "pino"
import promClient from "prom-client"

const headers = JSON.parse(process.env.HEADERS)
// At its best: one line for each request, written in batches.
// https://github.com/pinojs/pino/blob/main/docs/asynchronous.md
const stream = pino.destination({ dest: process.env.LOG, minLength: 4096, sync: false })
const app = Fastify({ logger: { stream }, disableRequestLogging: true })
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
// Bound once, as its documentation has it: https://github.com/siimon/prom-client#labels
const children = new Map()
const childOf = ({ method, route, status }) => {
  const key = `${method} ${route} ${status}`
  const known = children.get(key) ?? duration.labels(method, route, String(status))
  children.set(key, known)
  return known
}
app.addHook("onResponse", async (request, reply) => {
  const labels = { method: request.method, route: request.routeOptions.url, status: reply.statusCode }
  childOf(labels).observe(reply.elapsedTime / 1000)
  request.log.info({ ...labels, duration: reply.elapsedTime }, "handled")
})
app.get("/hello", async () => ({ hello: "world" }))
app.get("/metrics", async () => promClient.register.metrics())
const url = await app.listen({ port: 0, host: "127.0.0.1" })
process.stdout.write(`listening on ${url}\n`)
