// The middleware of an endpoint around its handler: those of its group first, then its own, each around the ones before it.
import { HttpApiBuilder, HttpApiMiddleware, type HttpApiSecurity } from "@effect/platform"
import { Context, Effect } from "effect"
import * as StartupLine from "../../../../src/config/internal/StartupLine.ts"
import * as RequestServices from "../../../../src/http/internal/RequestServices.ts"

type Tag = HttpApiMiddleware.TagClassAny

/** A boundary: middleware that is an effect takes the services that every request has. */
type Step = Effect.Effect<unknown, unknown>
type Handler<A> = Effect.Effect<A, unknown>

type Checks = Readonly<Record<string, (credentials: unknown) => Step>>

/** The first scheme whose credentials are accepted; the failure is that of the last. */
const secured = (security: Readonly<Record<string, HttpApiSecurity.HttpApiSecurity>>, checks: Checks): Step => {
  let first: Step | undefined
  for (const [name, scheme] of Object.entries(security)) {
    const decode = HttpApiBuilder.securityDecode(scheme) as Effect.Effect<unknown>
    const check = checks[name]
    if (check === undefined) {
      const reason = `The middleware does not check the credentials of ${name}`
      throw new Error(StartupLine.guided(reason, "what-an-api-does-not-declare"))
    }
    const step = Effect.flatMap(decode, check)
    first = first === undefined ? step : Effect.catchAll(first, () => step)
  }
  return first ?? Effect.void
}

const stepOf = (tag: Tag, services: Context.Context<never>): Step => {
  // A boundary: the type of a group says that its layer needs the middleware, and what that is.
  const service: unknown = Context.unsafeGet(services, tag)
  return HttpApiMiddleware.isSecurity(tag) ? secured(tag.security, service as Checks) : (service as Step)
}

const around = <A>(tag: Tag, step: Step, handler: Handler<A>): Handler<A> => {
  const { optional, provides } = tag
  const accepted = (value: unknown) =>
    provides === undefined ? handler : RequestServices.provideService(handler, provides, value)
  return optional
    ? Effect.matchEffect(step, { onFailure: () => handler, onSuccess: accepted })
    : Effect.flatMap(step, accepted)
}

/** The handler behind the middleware, whose services are those of the layer. */
export const applied = <A>(
  middleware: Iterable<Tag>,
  services: Context.Context<never>,
  handler: Handler<A>
): Handler<A> => {
  // By name, and in the place where a name was first met: one that is added twice runs once.
  const tags = new Map<string, Tag>()
  for (const tag of middleware) tags.set(tag.key, tag)
  let guarded = handler
  for (const tag of tags.values()) guarded = around(tag, stepOf(tag, services), guarded)
  return guarded
}
