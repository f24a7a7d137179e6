import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Redaction from "../../../src/errors/Redaction.ts"
import * as SecretNames from "../../../src/http/internal/text/SecretNames.ts"
import * as RequestSecrets from "../../../src/errors/internal/RequestSecrets.ts"

describe("RequestSecrets", () => {
  it("masks what a provider sends back, and no state of the program's own", () => {
    expect(RequestSecrets.query("?code=abcdefgh&state=4Z9s8a2ehVqX1c7mBd0aRw&iss=a")).toEqual([
      ["code", "********"],
      ["state", "********"],
      ["iss", "a"]
    ])
    expect(RequestSecrets.query("?state=open")).toEqual([["state", "open"]])
    const url = "/login/with/test/callback?code=abcdefgh&state=4Z9s8a2ehVqX1c7mBd0aRw&page=abcdef"
    expect(RequestSecrets.ofRequest({ headers: {}, url }, undefined)).toEqual(["4Z9s8a2ehVqX1c7mBd0aRw", "abcdefgh"])
  })

  it("finds a secret of the query behind a second question mark", () => {
    const url = "/search?q=why?&token=abcdefgh"
    expect(RequestSecrets.ofRequest({ headers: {}, url }, undefined)).toEqual(["abcdefgh"])
  })

  it("masks query values by their decoded names and keeps the order", () => {
    expect(RequestSecrets.query("?page=2&tok%65n=abc&q=a+b&access%5Fkey&%E0%A4%A=1")).toEqual([
      ["page", "2"],
      ["token", "********"],
      ["q", "a b"],
      ["access_key", "********"],
      ["%E0%A4%A", "1"]
    ])
  })

  it("hides parts of a path that look like tokens", () => {
    const verifier = "ab".repeat(32)
    expect(RequestSecrets.path(`/verify/0123456789abcdef/${verifier}/x`)).toBe("/verify/********/********/x")
    expect(RequestSecrets.path("/articles/how-to-hide-a-token")).toBe("/articles/how-to-hide-a-token")
    expect(RequestSecrets.tokenSegments(`/reset/0123456789abcdef/${verifier}`)).toEqual(["0123456789abcdef", verifier])
  })

  it.prop(
    "hides every given secret wherever it stands",
    [FastCheck.string(), FastCheck.string({ minLength: 6 }), FastCheck.string()],
    ([before, secret, after]) => {
      const secrets = RequestSecrets.secrets([["password", secret]])
      FastCheck.pre(!before.includes(secret) && !after.includes(secret) && !SecretNames.mask.includes(secret))
      const shown = Redaction.text(`${before}${secret}${after}`, secrets)
      // What is left cannot contain it, unless the neighbours and the mask happen to spell it again.
      expect(shown.replaceAll(SecretNames.mask, "\u0001")).not.toContain(secret)
    }
  )

  it("takes each cookie of a header as a secret of its own", () => {
    const secrets = RequestSecrets.secrets([["cookie", "session=0123456789; theme=dark-one"]])
    expect(Redaction.text("lost session 0123456789 and dark-one", secrets)).toBe("lost session ******** and ********")
  })

  it.each([
    ["Bearer abcdef123456", "abcdef123456"],
    [`Basic ${btoa("ada:open sesame")}`, "open sesame"],
    [`Basic ${btoa("ada:open sesame")}`, btoa("ada:open sesame")],
    ["a%20longer%20secret", "a longer secret"]
  ])("takes the value %j apart and finds %j", (value, secret) => {
    const secrets = RequestSecrets.secrets([["authorization", value]])
    expect(Redaction.text(`Basic and Bearer stay, ${secret} goes`, secrets)).toBe(
      "Basic and Bearer stay, ******** goes"
    )
  })

  it("leaves short values alone: they would blank harmless text", () => {
    expect(RequestSecrets.secrets([["token", "on"]])).toEqual([])
  })
})
