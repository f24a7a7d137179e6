// Fastify at its best with a line in its log and a duration in a histogram for each request.
import Fastify from "fastify"
import pino from "pino"
import promClient from "prom-client"

/** A program that records its requests, with its log in this file. */
export const create = (file, options = {}) => {
  // One line for each request, written in batches: https://github.com/pinojs/pino/blob/main/docs/asynchronous.md
  const stream = pino.destination({ dest: file, minLength: 4096, sync: false })
  const app = Fastify({ logger: { stream }, disableRequestLogging: true, ...options })
  const duration = new promClient.Histogram({
    name: "http_request_duration_seconds",
    help: "How long requests took.",
    labelNames: ["method", "route", "status"]
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
  return app
}
