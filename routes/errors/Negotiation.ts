// The format of an error response: a page, JSON, or a problem document.
import * as Accept from "../../src/http/Accept.ts"

/** The three formats. */
export type Kind = "text/html" | "application/json" | "application/problem+json"

const problem = "application/problem+json"

// The usual browser: HTML at full quality and no JSON. No need to compare qualities.
const htmlOnly = /(?:^|,)\s*text\/html\s*(?:,|$)/i
const mentionsJson = /json|application\/\*/i

/** A page unless the client prefers JSON; a client that accepts both JSON types gets the problem document. */
export const kind = (accept: string | undefined): Kind => {
  if (accept === undefined || (htmlOnly.test(accept) && !mentionsJson.test(accept))) return "text/html"
  const best = Accept.preferred(accept, ["text/html", "application/json", problem]) ?? "text/html"
  const acceptsProblem = best === "application/json" && accept?.toLowerCase().includes(problem) === true
  return acceptsProblem ? (Accept.preferred(accept, [problem, "application/json"]) ?? best) : best
}
