import { describe, expect, it } from "@effect/vitest"
import { Option } from "effect"
import * as LostFactorOperations from "../../../routes/auth/lostfactors/LostFactorOperations.ts"
import type { LostFactorRequest } from "../../../src/auth/internal/LostFactorRequests.ts"
import { AccountId } from "../../../src/session/Identity.ts"
import * as Languages from "../../../src/http/Languages.ts"

const recovery = (state: LostFactorRequest["state"]): LostFactorRequest => ({
  user: AccountId.make("0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"),
  email: "ann@example.com",
  ready: 1_767_225_600,
  expires: 1_767_830_400,
  state,
  language: ""
})

describe("The status of a recovery", () => {
  it("names the moment while it waits, and the e-mail once it is ready", () => {
    expect(LostFactorOperations.told(recovery("Waiting"), Languages.english)).toEqual({
      message: expect.stringContaining("2026"),
      state: "waiting",
      ready: 1_767_225_600
    })
    expect(LostFactorOperations.told(recovery("Ready"), Languages.english)).toMatchObject({ state: "ready" })
  })

  it("tells neither the address nor the account", () => {
    for (const isVerified of [true, false]) {
      expect(LostFactorOperations.overview({ recovery: Option.none(), isVerified })).toEqual({
        state: "none",
        available: isVerified
      })
      expect(LostFactorOperations.overview({ recovery: Option.some(recovery("Ready")), isVerified })).toEqual({
        state: "ready",
        ready: 1_767_225_600,
        available: isVerified
      })
    }
  })
})
