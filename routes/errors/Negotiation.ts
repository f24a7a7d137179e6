// What a client wants to hear of an error: a page, JSON, or a problem document.
import * as Accept from "../../src/http/Accept.ts"

/** The three forms of an error. */
export type Kind = "text/html" | "application/json" | "application/problem+json"

const problem = "application/problem+json"

// What every browser says: a page at full quality, and no word of JSON. Nothing needs to be weighed.
const plainly = /(?:^|,)\s*text\/html\s*(?:,|$)/i
const programs = /json|application\/\*/i

/** A page unless a program asks for something else; a client that names both kinds of JSON gets the one for errors. */
export const kind = (accept: string | undefined): Kind => {
  if (accept === undefined || (plainly.test(accept) && !programs.test(accept))) return "text/html"
  const best = Accept.preferred(accept, ["text/html", "application/json", problem]) ?? "text/html"
  const asks = best === "application/json" && accept?.toLowerCase().includes(problem) === true
  return asks ? (Accept.preferred(accept, [problem, "application/json"]) ?? best) : best
}
