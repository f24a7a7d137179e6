// Effect's own builder of groups is the judge: whatever the API and the request, the answer is the same.
import { expect, it } from "@effect/vitest"
import { HttpApiBuilder } from "@effect/platform"
import { FastCheck as fc } from "effect"
import * as ApiHandlers from "../../../routes/server/ApiHandlers.ts"
import * as RandomApi from "../../support/RandomApi.ts"

const askBoth = async (plan: RandomApi.Plan, requests: ReadonlyArray<RandomApi.Given>) => {
  const ours = RandomApi.serverOf(plan, ApiHandlers.group)
  const effects = RandomApi.serverOf(plan, HttpApiBuilder.group)
  try {
    for (const request of requests) {
      expect(await ours.ask(request)).toEqual(await effects.ask(request))
    }
  } finally {
    await Promise.all([ours.dispose(), effects.dispose()])
  }
}

it("A group answers every request as one of Effect's builder does", () =>
  fc.assert(fc.asyncProperty(RandomApi.plan, fc.array(RandomApi.request, { minLength: 1, maxLength: 6 }), askBoth), {
    numRuns: 60
  }))
