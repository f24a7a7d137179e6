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

// What the authenticator keeps in place of the id of the account: that of our own enrolment.
const userHandle = (user: string): string => createHash("sha256").update(`passkey user\0${user}`).digest("base64url")

interface Row {
  readonly public_key: string
  readonly counter: number
  readonly backup_eligible: number
  readonly user_id: string
}

let signing = 0

// The authenticator belongs to the browser.
const sign = (device: SoftAuthenticator, options: Parameters<SoftAuthenticator["get"]>[0]): string => {
  const start = process.cpuUsage()
  const signed = device.get(options)
  const { system, user } = process.cpuUsage(start)
  signing += system + user
  return signed
}

// What one writes to promise the same, each thing in its cheapest form: a challenge that is used once, by the browser that has
// asked for it; a passkey of this account, not made on another site's page, whose counter only grows and which never becomes one
// that is copied; and the row of a session that can be listed and ended.
const handWritten = (file: string, origin: string) => {
  const database = new Sqlite(file, { timeout: 5000 })
  database.pragma("synchronous = NORMAL")
  const { hostname: rpID } = new URL(origin)
  const keep = database.prepare("INSERT INTO passkey_challenges VALUES (?, ?, 'sign-in', '', ?)")
  const take = database.prepare("DELETE FROM passkey_challenges WHERE key = ? AND visit = ? AND expires > ?")
  const find = database.prepare(
    "SELECT p.public_key, p.counter, p.backup_eligible, p.user_id, u.email FROM passkeys p " +
      "JOIN users u ON u.id = p.user_id WHERE p.id = ?"
  )
  // Nothing where a response with this counter was here before, or where the passkey was removed meanwhile.
  const use = database.prepare(
    "UPDATE passkeys SET counter = ?, backed_up = ?, last_used = ? WHERE id = ? AND (counter < ? OR counter + ? = 0)"
  )
  const open = database.prepare(`INSERT INTO sessions
    (key, user_id, data, version, created_at, last_seen, expires, absolute, peer, user_agent)
    VALUES (?, ?, '{}', 1, ?, ?, ?, ?, '127.0.0.1', '')`)
  const begin = database.transaction((passkey: string, user: string, counter: number, isSynced: boolean) => {
    const at = now()
    if (use.run(counter, Number(isSynced), at, passkey, counter, counter).changes !== 1) throw new Error("refused")
    const key = hash(randomBytes(32).toString("base64url"))
    open.run(key, user, at, at, at + 7200, at + 2_592_000)
  })
  const now = () => Math.floor(Date.now() / 1000)
  const signIn = async (device: SoftAuthenticator): Promise<void> => {
    // The browser has it in its cookie.
    const secret = randomBytes(16).toString("base64url")
    const options = await generateAuthenticationOptions({ rpID, userVerification: "required" })
    keep.run(hash(options.challenge), hash(secret), now() + 300)
    const sent = sign(device, {
      ...options,
      rpId: rpID,
      timeout: 300_000,
      userVerification: "required",
      allowCredentials: []
    })
    const response = JSON.parse(sent) as AuthenticationResponseJSON
    const { challenge, crossOrigin } = JSON.parse(
      Buffer.from(response.response.clientDataJSON, "base64url").toString()
    ) as { readonly challenge: string; readonly crossOrigin?: boolean }
    const isFresh = take.run(hash(challenge), hash(secret), now()).changes === 1
    const row = find.get(response.id) as Row | undefined
    const isOwn = row !== undefined && response.response.userHandle === userHandle(row.user_id)
    if (!isOwn || !isFresh || crossOrigin === true) throw new Error("refused")
    const { authenticationInfo, verified } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
      credential: {
        id: response.id,
        publicKey: new Uint8Array(Buffer.from(row.public_key, "base64url")),
        counter: row.counter
      }
    })
    const { credentialBackedUp, credentialDeviceType, newCounter } = authenticationInfo
    const isEligible = credentialDeviceType === "multiDevice"
    if (!verified || isEligible !== row.backup_eligible > 0) throw new Error("refused")
    begin.immediate(response.id, row.user_id, newCounter, credentialBackedUp)
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
    // Until then the compiler has not finished with either.
    await Rounds.take(takes, 30)
    return await Rounds.take(takes, count)
  } finally {
    hand.close()
    await runtime.dispose()
  }
}
