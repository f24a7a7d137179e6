import { expect, layer } from "@effect/vitest"
import { Effect, Option, Redacted, TestClock } from "effect"
import { createHash } from "node:crypto"
import { maxTokens } from "../../../src/auth/internal/ApiTokenRules.ts"
import { ApiTokens } from "../../../src/auth/ApiTokens.ts"
import { TooManyApiTokens } from "../../../src/auth/internal/ApiTokenRules.ts"
import * as BearerToken from "../../../src/session/internal/BearerToken.ts"
import { AccountId } from "../../../src/session/Identity.ts"
import { InvalidTokenRequest } from "../../../src/auth/Tokens.ts"
import { Users } from "../../../src/auth/Users.ts"
import { enroll, stores } from "./Stores.ts"
import { describeTables, query } from "./TableVariants.ts"

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

describeTables("API tokens", (database, tables) => {
  const made = Effect.fnUntraced(function* (scopes: ReadonlyArray<string> = ["notes:read", "notes:write"]) {
    const tokens = yield* ApiTokens
    const identity = yield* enroll
    const token = yield* tokens.create(identity.id, { name: "Backup", scopes })
    const isValid = Effect.map(tokens.verify(token.secret), Option.isSome)
    return { tokens, identity, token, isValid }
  })

  layer(stores(database, {}, tables))((it) => {
    it.effect("grant their scopes to the account, and are stored as a digest", () =>
      Effect.gen(function* () {
        const { identity, token, tokens } = yield* made()
        const text = Redacted.value(token.secret)
        expect(BearerToken.kindOf(text)).toBe("token")
        expect(String(token.secret)).not.toContain(text)
        const rows = yield* query(
          (sql) => sql<{ key: string }>`SELECT * FROM ${sql(tables.apiTokens)} WHERE user_id = ${identity.id}`
        )
        expect(rows.map(({ key }) => key)).toEqual([sha256(text)])
        expect(JSON.stringify(rows)).not.toContain(text)
        const grant = Option.getOrThrow(yield* tokens.verify(token.secret))
        expect(grant).toEqual({ identity, handle: token.handle, scopes: new Set(["notes:read", "notes:write"]) })
        const none = yield* made([])
        expect(Option.getOrThrow(yield* tokens.verify(none.token.secret)).scopes.size).toBe(0)
      })
    )

    it.effect("are unknown when they are forged, cut, of another kind or no token at all", () =>
      Effect.gen(function* () {
        const { token, tokens } = yield* made()
        const text = Redacted.value(token.secret)
        const others = [
          BearerToken.print("token", new Uint8Array(32)),
          BearerToken.print("session", new Uint8Array(32)),
          text.slice(0, -1),
          text.toLowerCase(),
          text.replace("eft_", "efs_"),
          token.handle,
          sha256(text),
          "",
          "\0",
          "' OR 1=1 --"
        ]
        for (const other of others) expect(yield* tokens.verify(Redacted.make(other)), other).toEqual(Option.none())
      })
    )

    it.effect("are listed without their secret, the newest first, and revoked by their handle", () =>
      Effect.gen(function* () {
        const { identity, isValid, token, tokens } = yield* made()
        yield* TestClock.adjust("2 seconds")
        const second = yield* tokens.create(identity.id, { name: "Second 🗝️", scopes: [], ttl: "1 hour" })
        const listed = yield* tokens.list(identity.id)
        expect(listed.map(({ name }) => name)).toEqual(["Second 🗝️", "Backup"])
        expect(listed[1]).toEqual({
          handle: token.handle,
          name: "Backup",
          scopes: ["notes:read", "notes:write"],
          created: token.created,
          lastUsed: undefined,
          expires: token.created + 90 * 86_400
        })
        const stranger = yield* enroll
        expect(yield* tokens.revoke(stranger.id, token.handle)).toBe(false)
        expect(yield* tokens.revoke(identity.id, "unknown")).toBe(false)
        expect(yield* isValid).toBe(true)
        expect(yield* tokens.revoke(identity.id, token.handle)).toBe(true)
        expect(yield* isValid).toBe(false)
        expect((yield* tokens.list(identity.id)).map(({ handle }) => handle)).toEqual([second.handle])
        yield* tokens.create(identity.id, { name: "Third", scopes: [] })
        expect(yield* tokens.revokeAll(identity.id)).toBe(2)
        expect(yield* tokens.list(identity.id)).toEqual([])
      })
    )

    it.effect("record their last use, at most once a minute", () =>
      Effect.gen(function* () {
        const { identity, isValid, tokens } = yield* made()
        const lastUsed = Effect.map(tokens.list(identity.id), ([only]) => only?.lastUsed)
        yield* TestClock.adjust("61 seconds")
        expect(yield* isValid).toBe(true)
        const first = yield* lastUsed
        expect(first).toBe(Math.floor((yield* TestClock.currentTimeMillis) / 1000))
        yield* TestClock.adjust("59 seconds")
        expect(yield* isValid).toBe(true)
        expect(yield* lastUsed).toBe(first)
        yield* TestClock.adjust("1 second")
        expect(yield* isValid).toBe(true)
        expect(yield* lastUsed).toBe((first ?? 0) + 60)
      })
    )

    it.effect("expire, also when they have just been used, and are swept", () =>
      Effect.gen(function* () {
        const { tokens } = yield* made()
        const identity = yield* enroll
        const { secret } = yield* tokens.create(identity.id, { name: "short", scopes: [], ttl: "2 seconds" })
        yield* TestClock.adjust("1 second")
        expect(Option.isSome(yield* tokens.verify(secret))).toBe(true)
        yield* TestClock.adjust("1 second")
        expect(Option.isSome(yield* tokens.verify(secret))).toBe(false)
        expect(yield* tokens.list(identity.id)).toEqual([])
        expect(yield* tokens.sweep).toBe(1)
        const failure = yield* Effect.flip(tokens.create(identity.id, { name: "x", scopes: [], ttl: 0 }))
        expect(failure).toEqual(new InvalidTokenRequest({ user: identity.id, seconds: 0 }))
        const nobody = tokens.create(AccountId.make(""), { name: "x", scopes: [] })
        expect(yield* Effect.flip(nobody)).toBeInstanceOf(InvalidTokenRequest)
      })
    )

    it.effect("end with their account", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const { identity, isValid, tokens } = yield* made()
        yield* users.remove(identity.id)
        expect(yield* isValid).toBe(false)
        expect(yield* tokens.list(identity.id)).toEqual([])
      })
    )

    it.effect("keep a name that both databases store, cut to 100 characters", () =>
      Effect.gen(function* () {
        const { identity, tokens } = yield* made()
        const names = ["a\0b", "x".repeat(500), `${"y".repeat(99)}😀`, "'; DROP TABLE users; --"]
        for (const name of names) yield* tokens.create(identity.id, { name, scopes: [] })
        const listed = (yield* tokens.list(identity.id)).map(({ name }) => name)
        expect(listed).toEqual(
          expect.arrayContaining(["ab", "x".repeat(100), "y".repeat(99), "'; DROP TABLE users; --"])
        )
      })
    )

    it.effect("are limited for each account, also when many are made at once", () =>
      Effect.gen(function* () {
        const tokens = yield* ApiTokens
        const identity = yield* enroll
        const create = Effect.either(tokens.create(identity.id, { name: "many", scopes: [] }))
        const outcomes = yield* Effect.all(
          Array.from({ length: maxTokens + 5 }, () => create),
          { concurrency: 10 }
        )
        expect(outcomes.filter(({ _tag }) => _tag === "Right")).toHaveLength(maxTokens)
        expect(yield* Effect.flip(tokens.create(identity.id, { name: "one more", scopes: [] }))).toEqual(
          new TooManyApiTokens({ limit: maxTokens })
        )
        yield* tokens.revoke(identity.id, (yield* tokens.list(identity.id))[0]?.handle ?? "")
        expect((yield* create)._tag).toBe("Right")
      })
    )
  })
})
