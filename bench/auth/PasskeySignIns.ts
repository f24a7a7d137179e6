// Sign-ins with a passkey, one after the other, against the same by hand: `@simplewebauthn/server` with prepared statements.
import {
  generateAuthenticationOptions,
  verifyAuthenticationResponse,
  type AuthenticationResponseJSON
} from "@simplewebauthn/server"
import Sqlite from "better-sqlite3"
import { Effect, Redacted } from "effect"
import { createHash, randomBytes } from "node:crypto"
import * as InsecurePassword from "../../testing/InsecurePassword.ts"
import { SoftAuthenticator } from "../../test/support/SoftAuthenticator.ts"
import { Passkeys } from "../../src/auth/Passkeys.ts"
import { AuthConfig } from "../../src/auth/AuthConfig.ts"
import { Users } from "../../src/auth/Users.ts"
import * as SessionGrants from "../../src/session/internal/SessionGrants.ts"
import { Sessions } from "../../src/session/Session.ts"
import * as Rounds from "../Rounds.ts"
import * as Accounts from "./Accounts.ts"

const hash = (text: string): string => createHash("sha256").update(text).digest("hex")

let signing = 0

// The authenticator belongs to the browser.
const sign = (device: SoftAuthenticator, options: Parameters<SoftAuthenticator["get"]>[0]): string => {
  const start = process.cpuUsage()
  const signed = device.get(options)
  const { system, user } = process.cpuUsage(start)
  signing += system + user
  return signed
}

// What one writes: a challenge that is used once, the key of the passkey, its counter, and a session.
const handWritten = (file: string, origin: string) => {
  const database = new Sqlite(file, { timeout: 5000 })
  database.pragma("synchronous = NORMAL")
  const { hostname: rpID } = new URL(origin)
  const keep = database.prepare("INSERT INTO passkey_challenges VALUES (?, 'hand', 'sign-in', '', ?)")
  const take = database.prepare("DELETE FROM passkey_challenges WHERE key = ? AND expires > ?")
  const find = database.prepare(
    "SELECT p.public_key, p.counter, p.user_id, u.email FROM passkeys p JOIN users u ON u.id = p.user_id WHERE p.id = ?"
  )
  const use = database.prepare("UPDATE passkeys SET counter = ?, last_used = ? WHERE id = ? AND counter < ?")
  database.exec("CREATE TABLE hand_sessions (key TEXT PRIMARY KEY, user_id TEXT, expires BIGINT)")
  const open = database.prepare("INSERT INTO hand_sessions VALUES (?, ?, ?)")
  const now = () => Math.floor(Date.now() / 1000)
  const signIn = async (device: SoftAuthenticator): Promise<void> => {
    const options = await generateAuthenticationOptions({ rpID, userVerification: "required" })
    keep.run(hash(options.challenge), now() + 300)
    const sent = sign(device, {
      ...options,
      rpId: rpID,
      timeout: 300_000,
      userVerification: "required",
      allowCredentials: []
    })
    const response = JSON.parse(sent) as AuthenticationResponseJSON
    const row = find.get(response.id) as { public_key: string; counter: number; user_id: string } | undefined
    const isFresh = take.run(hash(options.challenge), now()).changes === 1
    if (row === undefined || !isFresh) throw new Error("refused")
    const { authenticationInfo, verified } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: options.challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
      credential: {
        id: response.id,
        publicKey: new Uint8Array(Buffer.from(row.public_key, "base64url")),
        counter: row.counter
      }
    })
    if (!verified) throw new Error("refused")
    const key = hash(randomBytes(32).toString("base64url"))
    database.transaction(() => {
      use.run(authenticationInfo.newCounter, now(), response.id, authenticationInfo.newCounter)
      open.run(key, row.user_id, now() + 7200)
    })()
  }
  return { signIn, close: () => database.close() }
}

/** Sign-ins for each second of the server's processor time, ours and by hand: the authenticator's signature is in neither. */
export const rates = async (file: string, count: number) => {
  const runtime = Accounts.runtime(file, InsecurePassword.layer)
  const enrol = Effect.gen(function* () {
    const users = yield* Users
    const id = yield* users.enroll("passkey@example.com", Redacted.make(Accounts.password))
    yield* users.confirm(id)
    const { appUrl } = yield* AuthConfig
    const device = new SoftAuthenticator(new URL(appUrl).origin)
    const passkeys = yield* Passkeys
    const { session } = yield* visit
    const made = device.create(
      yield* passkeys.creationOptions({ id, email: "passkey@example.com", verified: true }, session)
    )
    yield* passkeys.enroll(id, session, { name: "bench", credential: made })
    return { device, origin: new URL(appUrl).origin }
  })
  const visit = Effect.gen(function* () {
    const sessions = yield* Sessions
    const state = yield* Accounts.state
    return { state, session: sessions.attach(state, {}) }
  })
  const signIn = Effect.fnUntraced(function* (device: SoftAuthenticator) {
    const passkeys = yield* Passkeys
    const { session, state } = yield* visit
    const credential = sign(device, yield* passkeys.requestOptions(session))
    const { identity } = yield* passkeys.verify(session, credential)
    yield* session[SessionGrants.signIn](identity)
    yield* state.session?.commit ?? Effect.void
  })
  const { device, origin } = await runtime.runPromise(enrol)
  const hand = handWritten(file, origin)
  try {
    const rate = (work: () => Promise<unknown>) => async () => {
      signing = 0
      const start = process.cpuUsage()
      for (let done = 0; done < 20; done++) await work()
      const { system, user } = process.cpuUsage(start)
      return 20e6 / (system + user - signing)
    }
    const takes = { ours: rate(() => runtime.runPromise(signIn(device))), hand: rate(() => hand.signIn(device)) }
    await Rounds.take(takes, 5)
    return await Rounds.take(takes, count)
  } finally {
    hand.close()
    await runtime.dispose()
  }
}
