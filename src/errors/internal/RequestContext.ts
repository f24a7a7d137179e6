// The request of a report.
import type { State } from "../../http/internal/RequestState.ts"
import * as RequestSecrets from "./RequestSecrets.ts"

/**
 * The request in which it happened, as plain data that can be cloned and serialised. `uri` has no query, and is the
 * pattern of a route with parameters.
 */
export interface ReportContext {
  readonly id?: string
  readonly method?: string
  readonly uri?: string
  /** The pattern of the route; absent when none matched. */
  readonly route?: string
  readonly peer?: string
  /** The id of the trace. */
  readonly trace?: string
  /** The id of the request's span. */
  readonly span?: string
  /** The id of the signed-in account. */
  readonly account?: string
}

/** The path, or the pattern of a route that has parameters: a parameter may be a verifier. */
export const uri = ({ path, route }: State): string => {
  if (route === "") return RequestSecrets.path(path)
  return /[:*]/.test(route) ? route : path
}

/** The request as plain data. */
export const of = (state: State): ReportContext => {
  const { account, clientAddress: peer, id, method, route, trace } = state
  return {
    id,
    method,
    uri: uri(state),
    peer,
    ...(route !== "" && { route }),
    ...(trace !== undefined && { trace: trace.traceId, span: trace.spanId }),
    ...(account !== undefined && { account })
  }
}
