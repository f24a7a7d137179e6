// The log line of a request. It has the route pattern, never the path or the query, which may contain secrets.
import type { Handled } from "../RequestEvents.ts"

/** The `channel` of every line. */
export const channel = "requests"

// Two integers are printed several times faster than one number with a fraction.
const milliseconds = (seconds: number): string => {
  const tenths = Math.round(seconds * 10_000)
  return `${Math.floor(tenths / 10)}.${tenths % 10}`
}

/** `GET /articles 200 3.1 ms`, for a terminal. */
export const pretty = ({ duration, failed = false, method, route, status }: Handled): string =>
  `${method} ${route === "" ? "(no route)" : route} ${failed ? "failed" : (status ?? "aborted")} ${milliseconds(duration)} ms`

/**
 * A JSON object with timestamp, request id, method, route pattern, status and duration; `"failed":true` when the body
 * failed after the headers were sent; the ids of the trace and of the account where they are known. The id has token
 * characters only, the method comes from Node's parser and a trace id is hexadecimal, so none needs to be escaped.
 */
export const json = (
  { account, duration, failed = false, id, method, route, status, trace }: Handled,
  timestamp: string
): string =>
  `{"timestamp":"${timestamp}","level":"${failed ? "ERROR" : "INFO"}","channel":"${channel}","id":"${id}","method":"${method}",` +
  `"route":${JSON.stringify(route)},"status":${status ?? "null"},"duration_ms":${milliseconds(duration)}` +
  (trace === undefined ? "" : `,"trace_id":"${trace}"`) +
  (account === undefined ? "" : `,"account":${JSON.stringify(account)}`) +
  (failed ? `,"failed":true}` : "}")
