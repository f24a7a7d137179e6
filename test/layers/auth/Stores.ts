// Shared by the tests of the stores: a hasher without cost, requests without a server, and browsers.
import { signIn } from "../../../src/session/internal/SessionGrants.ts"
import { Clock, Effect, Layer, Option, Redacted } from "effect"
import * as SqlAuthentication from "../../../layers/auth/SqlAuthentication.ts"
import * as Tables from "../../../layers/database/Tables.ts"
import * as TrustedProxies from "../../../layers/session/TrustedProxies.ts"
import { AccountId, type Identity } from "../../../src/session/Identity.ts"
import { type Session, Sessions } from "../../../src/session/Session.ts"
import * as AuthConfig from "../../../src/auth/AuthConfig.ts"
import { Users } from "../../../src/auth/Users.ts"
import { RequestStates, type State } from "../../../src/http/internal/RequestState.ts"
import type { TestEngine } from "../../support/Databases.ts"
import * as InsecurePassword from "../../../testing/InsecurePassword.ts"

/** All stores on a database of their own. A rotation waits only for requests that have already arrived. */
export const stores = (
  database: TestEngine,
  values: Partial<AuthConfig.Settings> = {},
  tables: Tables.Tables = Tables.defaults
) =>
  SqlAuthentication.layerWithoutSweeper({ tables, trust: { hold: 0 } }).pipe(
    Layer.provideMerge(InsecurePassword.layer),
    Layer.provideMerge(AuthConfig.layerWith(values)),
    Layer.provideMerge(database.layer)
  )

let count = 0

/** An account of its own for each test. */
export const enroll = Effect.gen(function* () {
  const users = yield* Users
  const email = `person-${count++}@example.com`
  const id = yield* users.enroll(email, Redacted.make("correct horse"))
  return { id, email, verified: false } satisfies Identity
})

export const nobody = AccountId.make("nobody")

export interface Options {
  readonly method?: string
  readonly address?: string
  readonly userAgent?: string
  /** When the request arrived, in milliseconds of `performance.now()`; now when it is missing. */
  readonly arrived?: number
}

/** The state of a request as the edge opens it. */
export const requestState = ({ arrived, method = "GET", address = "192.0.2.1" }: Options = {}): Effect.Effect<State> =>
  Effect.map(RequestStates, ({ open }) =>
    open({ method, url: "/", headers: {}, remoteAddress: address, route: "/", arrived })
  ).pipe(Effect.provide(TrustedProxies.layerWith([])))

const system = Clock.make()

/** The effect at this moment: quicker than the test clock, which lets other fibers settle each time it moves. */
export const at = (millis: number) =>
  Effect.withClock(
    Object.assign(Object.create(system) as Clock.Clock, {
      currentTimeMillis: Effect.succeed(millis),
      unsafeCurrentTimeMillis: () => millis
    })
  )

/** A jar of cookies: what a browser sends with its next request. */
export class Browser {
  readonly jar = new Map<string, string>()

  get header(): string | undefined {
    return this.jar.size === 0 ? undefined : [...this.jar].map(([name, value]) => `${name}=${value}`).join("; ")
  }

  /** A browser with the same cookies. */
  copy(): Browser {
    const other = new Browser()
    for (const [name, value] of this.jar) other.jar.set(name, value)
    return other
  }

  store(lines: Iterable<string>): void {
    for (const line of lines) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/; Max-Age=0(;|$)/.test(line)) this.jar.delete(name)
      else this.jar.set(name, value)
    }
  }

  /** One request: the handler on the session, then the commit, then the cookies. The `Set-Cookie` lines come back. */
  visit<A, E, R>(handler: (session: Session) => Effect.Effect<A, E, R>, options: Options = {}) {
    return Effect.flatMap(this.begin(options), ({ finish, session }) =>
      Effect.flatMap(handler(session), (value) => Effect.map(finish, (lines) => ({ value, lines })))
    )
  }

  /** A request that is still under way: it ends with `finish`. */
  begin(options: Options = {}) {
    return Effect.zipWith(Sessions, requestState(options), (sessions, opened) => {
      const session = sessions.attach(opened, { cookie: this.header, "user-agent": options.userAgent })
      const finish = Effect.suspend(() => opened.session?.commit ?? Effect.void).pipe(
        Effect.map(() => {
          const lines = [...opened.cookies.values()]
          this.store(lines)
          return lines
        })
      )
      return { session, finish }
    })
  }

  /** Who this browser is signed in as. */
  get identity() {
    return Effect.map(
      this.visit((session) => session.identity),
      ({ value }) => value
    )
  }

  get isSignedIn() {
    return Effect.map(this.identity, Option.isSome)
  }
}

/** A browser that is signed in as this account. */
export const signedIn = (identity: Identity, options: Options = {}) =>
  Effect.gen(function* () {
    const browser = new Browser()
    yield* browser.visit((session) => session[signIn](identity), options)
    return browser
  })
