// One line for each request: for a person in development, for a program elsewhere. The route, never the path or query.
import type { Handled } from "./RequestEvents.ts"

// Two whole numbers are printed several times faster than one with a fraction.
const milliseconds = (seconds: number): string => {
  const tenths = Math.round(seconds * 10_000)
  return `${Math.floor(tenths / 10)}.${tenths % 10}`
}

/** `GET /articles 200 3.1 ms`, for a terminal. */
export const pretty = ({ duration, failed = false, method, route, status }: Handled): string =>
  `${method} ${route === "" ? "(no route)" : route} ${failed ? "failed" : (status ?? "aborted")} ${milliseconds(duration)} ms`

/**
 * A JSON object with the time, the request id, the method, the route's pattern, the status and the duration; `"failed":true`
 * when the body broke after the head was sent. An id is
 * token characters and a method a word of node's parser, so neither needs to be escaped.
 */
export const json = ({ duration, failed = false, id, method, route, status }: Handled, timestamp: string): string =>
  `{"timestamp":"${timestamp}","level":"${failed ? "ERROR" : "INFO"}","channel":"requests","id":"${id}","method":"${method}",` +
  `"route":${JSON.stringify(route)},"status":${status ?? "null"},"duration_ms":${milliseconds(duration)}` +
  (failed ? `,"failed":true}` : "}")
