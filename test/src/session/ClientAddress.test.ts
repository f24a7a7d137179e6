import { describe, expect, it } from "@effect/vitest"
import * as ClientAddress from "../../../src/session/ClientAddress.ts"

describe("ClientAddress.parseTrusted", () => {
  it.each(["", " ", "10.0.0.1", "10.0.0.0/8,::1", "2001:db8::/32 , 192.0.2.0/24"])("takes %j", (text) => {
    expect(ClientAddress.parseTrusted(text)).toBeDefined()
  })

  it.each(["proxy", "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/08", "10.0.0.0/-1", "10.0.0.1,x"])(
    "refuses %j",
    (text) => {
      expect(ClientAddress.parseTrusted(text)).toBeUndefined()
    }
  )
})
