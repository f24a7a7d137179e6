// The endpoints of a recovery after the loss of every factor in the group of accounts. What begins it needs a pending sign-in,
// what ends it the token of a mailed link.
import { HttpApiEndpoint, OpenApi } from "@effect/platform"
import { flow, Schema } from "effect"
import * as Failures from "../api/AccountFailures.ts"
import { InvalidRequest } from "../../../src/http/InvalidRequest.ts"
import * as Schemas from "../api/AccountSchemas.ts"
import { forPending, withToken } from "../internal/ApiSecurity.ts"

const { Forged, InvalidLink, Limited, PasswordSubmission, PendingEnded, Refused, Undelivered } = Failures

const onlyWithRecovery = "404 in a program without LostFactors.layer."

const ready = Schemas.seconds("From when it can be completed")

const Overview = Schema.Struct({
  state: Schema.Literal("none", "waiting", "ready"),
  ready: Schema.optional(ready),
  available: Schema.Boolean.annotations({
    description: "Whether it can be asked for: an address that is not verified cannot."
  })
}).annotations({ identifier: "FactorRecovery", description: "The recovery of an account whose factors are lost." })

const Requested = Schema.Struct({ ...Schemas.Message.fields, state: Schema.Literal("waiting", "ready"), ready })

const asked =
  "Sends a link that cancels it to the address of the account, and one that completes it after the delay. " +
  `While it is ready the latter is sent again. 403 for an address that is not verified. ${onlyWithRecovery}`

export const factorRecovery = HttpApiEndpoint.get("factorRecovery", "/sign-in/factor/recovery")
  .addSuccess(Overview)
  .addError(PendingEnded)
  .annotate(OpenApi.Summary, "The recovery of the account of a pending sign-in")
  .annotate(OpenApi.Description, `For browsers, after a sign-in that returned 202. ${onlyWithRecovery}`)
  .annotate(OpenApi.Transform, forPending)

export const factorRecoveryBearer = HttpApiEndpoint.post(
  "factorRecoveryBearer",
  "/bearer/sign-in/factor/recovery/state"
)
  .setPayload(Schemas.Pending)
  .addError(InvalidRequest)
  .addSuccess(Overview)
  .addError(PendingEnded)
  .annotate(OpenApi.Summary, "The recovery of the account of a pending sign-in without cookies")
  .annotate(
    OpenApi.Description,
    `Changes nothing: the secret of a sign-in must not be in an address. ${onlyWithRecovery}`
  )

export const requestFactorRecovery = HttpApiEndpoint.post("requestFactorRecovery", "/sign-in/factor/recovery")
  .addSuccess(Requested, Schemas.Accepted)
  .addError(PendingEnded)
  .addError(Refused)
  .addError(Forged)
  .addError(Limited)
  .addError(Undelivered)
  .annotate(OpenApi.Summary, "Ask for a recovery, with cookies")
  .annotate(OpenApi.Description, asked)
  .annotate(OpenApi.Transform, flow(forPending, withToken))

export const requestFactorRecoveryBearer = HttpApiEndpoint.post(
  "requestFactorRecoveryBearer",
  "/bearer/sign-in/factor/recovery"
)
  .setPayload(Schemas.Pending)
  .addError(InvalidRequest)
  .addSuccess(Requested, Schemas.Accepted)
  .addError(PendingEnded)
  .addError(Refused)
  .addError(Limited)
  .addError(Undelivered)
  .annotate(OpenApi.Summary, "Ask for a recovery, without cookies")
  .annotate(OpenApi.Description, asked)

export const cancelFactorRecovery = HttpApiEndpoint.post("cancelFactorRecovery", "/factor-recovery/cancel")
  .setPayload(Schemas.VerificationToken)
  .addError(InvalidRequest)
  .addSuccess(Schemas.Message)
  .addError(InvalidLink)
  .addError(Limited)
  .annotate(OpenApi.Summary, "Cancel a recovery by a mailed link")
  .annotate(OpenApi.Description, `Ends the sign-ins of the account that wait for a factor. ${onlyWithRecovery}`)

const Completion = Schema.Struct({
  ...Schemas.VerificationToken.fields,
  password: Schemas.OwnPassword,
  passkeys: Schema.optional(Schema.Boolean.annotations({ description: "Whether passkeys are lost too, and removed." }))
})

export const completeFactorRecovery = HttpApiEndpoint.post("completeFactorRecovery", "/factor-recovery/complete")
  .setPayload(Completion)
  .addError(InvalidRequest)
  .addSuccess(Schemas.Message)
  .addError(PasswordSubmission)
  .addError(InvalidLink)
  .addError(Forged)
  .annotate(OpenApi.Summary, "Remove the lost factors by the mailed link")
  .annotate(
    OpenApi.Description,
    `With the password, after the delay. Ends every session and forgets every device. Signs nobody in. ${onlyWithRecovery}`
  )
