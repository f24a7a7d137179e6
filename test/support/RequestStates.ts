// The state of a request for tests of what reads it.
import type { State } from "../../src/http/internal/RequestState.ts"

/** A GET of `/articles`, with what a test states itself. */
export const requestStateOf = (given: Partial<State> = {}): State => ({
  id: "r1",
  method: "GET",
  path: "/articles",
  route: "/articles",
  head: { headers: {}, url: "/articles" },
  clientAddress: "192.0.2.1",
  forwarded: {},
  baggage: "",
  arrived: 0,
  cookies: new Map(),
  headers: new Map(),
  personal: false,
  fields: undefined,
  lostRace: false,
  beforeResponse: undefined,
  ...given
})
