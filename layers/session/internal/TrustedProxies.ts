// The proxies in front of the program, as `TRUSTED_PROXIES` lists them.
import type { Config } from "effect"
import * as ClientAddress from "../../../src/session/ClientAddress.ts"
import * as Setting from "../../../src/config/internal/Setting.ts"

/** The proxies whose `X-Forwarded-For` is trusted. */
export const config: Config.Config<ReadonlyArray<ClientAddress.Network>> = Setting.of<
  ReadonlyArray<ClientAddress.Network>
>("TRUSTED_PROXIES", [], {
  expected: "a comma-separated list of addresses or CIDR ranges",
  parse: ClientAddress.parseTrusted
})
