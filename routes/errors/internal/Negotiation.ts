// The format of an error response: a page, JSON, or a problem document.
import * as Accept from "../../../src/http/Accept.ts"

/** The three formats. */
export type Kind = "text/html" | "application/json" | "application/problem+json"

const problem = "application/problem+json"

// The usual browser: HTML at full quality and no JSON. No need to compare qualities.
const htmlOnly = /(?:^|,)\s*text\/html\s*(?:,|$)/i
const mentionsJson = /json|application\/\*/i

/**
 * A page unless the client prefers JSON; for the endpoints of an API, JSON unless it prefers a page. A client that accepts
 * both JSON types gets the problem document.
 */
export const kind = (accept: string | undefined, isApi = false): Kind => {
  const standard = isApi ? "application/json" : "text/html"
  if (accept === undefined) return standard
  if (htmlOnly.test(accept) && !mentionsJson.test(accept)) return "text/html"
  const best = isApi
    ? Accept.preferred(accept, ["application/json", problem, "text/html"])
    : Accept.preferred(accept, ["text/html", "application/json", problem])
  return best === undefined ? standard : ofJson(accept, best)
}

const ofJson = (accept: string, best: Kind): Kind => {
  const acceptsProblem = best === "application/json" && accept.toLowerCase().includes(problem)
  return acceptsProblem ? (Accept.preferred(accept, [problem, "application/json"]) ?? best) : best
}
