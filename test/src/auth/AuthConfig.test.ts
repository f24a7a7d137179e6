import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Duration, Effect } from "effect"
import { minimumPolicy } from "../../../src/auth/internal/passwords/PasswordHash.ts"
import * as AuthConfig from "../../../src/auth/AuthConfig.ts"

const read = (variables: Record<string, string>) =>
  Effect.withConfigProvider(
    Effect.suspend(() => AuthConfig.config),
    ConfigProvider.fromMap(new Map(Object.entries(variables)))
  )

describe("AuthConfig", () => {
  it.effect("has the defaults of the specification", () =>
    Effect.gen(function* () {
      expect(yield* read({})).toEqual({
        appUrl: "http://localhost:8087",
        verificationTtl: Duration.seconds(86400),
        recoveryTtl: Duration.seconds(3600),
        rememberName: "remember",
        rememberPath: "/",
        rememberDomain: undefined,
        rememberTtl: Duration.seconds(2592000),
        rememberGrace: Duration.zero,
        sessionName: "session",
        sessionIdle: Duration.seconds(7200),
        sessionTtl: Duration.seconds(2592000),
        confirmationTtl: Duration.seconds(600),
        deletionGrace: Duration.seconds(1_209_600),
        factorRecoveryDelay: Duration.hours(72),
        realm: "Protected area",
        argon2: { memory: 65536, time: 3 },
        hashConcurrency: undefined,
        hashQueue: 20,
        passwordMin: 8,
        passwordMinWithoutFactor: 8,
        breachedPasswords: false,
        eventsTtl: Duration.days(400),
        returnUrls: [],
        notifications: true
      })
    })
  )

  it.effect("leads links to the port of the program, unless it is told where they lead", () =>
    Effect.gen(function* () {
      expect((yield* read({ PORT: "3000" })).appUrl).toBe("http://localhost:3000")
      expect((yield* read({ PORT: "3000", APP_URL: "https://app.example.com" })).appUrl).toBe("https://app.example.com")
      for (const PORT of ["0", "eighty", ""]) expect((yield* read({ PORT })).appUrl).toBe("http://localhost:8087")
    })
  )

  it.effect("takes what is set", () =>
    Effect.gen(function* () {
      const settings = yield* read({
        APP_URL: "https://app.example.com/",
        AUTH_REMEMBER_NAME: "keep",
        AUTH_REMEMBER_GRACE: "10",
        AUTH_REMEMBER_PATH: "/app",
        AUTH_REMEMBER_DOMAIN: "example.com",
        AUTH_REALM: "Members' area",
        AUTH_SESSION_IDLE: "60",
        AUTH_ARGON2_MEMORY: "19456",
        AUTH_ARGON2_TIME: "2",
        AUTH_HASH_CONCURRENCY: "2",
        AUTH_RETURN_URLS: "https://spa.example/back?tab=1, com.example.app:/signed-in,http://127.0.0.1:4000/"
      })
      expect(settings).toMatchObject({
        appUrl: "https://app.example.com",
        rememberName: "keep",
        rememberGrace: Duration.seconds(10),
        rememberPath: "/app",
        rememberDomain: "example.com",
        realm: "Members' area",
        sessionIdle: Duration.seconds(60),
        argon2: { memory: 19456, time: 2 },
        hashConcurrency: 2,
        returnUrls: ["https://spa.example/back?tab=1", "com.example.app:/signed-in", "http://127.0.0.1:4000/"]
      })
    })
  )

  for (const [name, value] of [
    ["APP_URL", "ftp://x"],
    ["AUTH_VERIFICATION_TTL", "0"],
    ["AUTH_RECOVERY_TTL", "soon"],
    ["AUTH_REMEMBER_NAME", "a b"],
    ["AUTH_REMEMBER_TTL", "-1"],
    ["AUTH_REMEMBER_GRACE", "1.5"],
    ["AUTH_REMEMBER_PATH", "app"],
    ["AUTH_REMEMBER_PATH", "/; Domain=evil.example"],
    ["AUTH_REMEMBER_PATH", "/a\r\nSet-Cookie: x=y"],
    ["AUTH_REMEMBER_DOMAIN", "example.com; SameSite=None"],
    ["AUTH_REMEMBER_DOMAIN", "127.0.0.1"],
    ["AUTH_REMEMBER_DOMAIN", "https://example.com"],
    ["AUTH_REALM", 'a"b'],
    ["AUTH_REALM", "a\r\nSet-Cookie: x=y"],
    ["AUTH_SESSION_NAME", "session;"],
    ["AUTH_SESSION_IDLE", "0"],
    ["AUTH_ARGON2_MEMORY", "19455"],
    ["AUTH_ARGON2_TIME", "1"],
    ["AUTH_HASH_CONCURRENCY", "0"],
    ["AUTH_HASH_QUEUE", "-1"],
    ["AUTH_RETURN_URLS", "/signed-in"],
    ["AUTH_RETURN_URLS", "http://app.example/"],
    ["AUTH_RETURN_URLS", "javascript:alert(1)"],
    ["AUTH_RETURN_URLS", "https://app.example/#back"],
    ["AUTH_RETURN_URLS", "https://ann@app.example/"],
    ["AUTH_RETURN_URLS", "https://app.example/,"]
  ] as const) {
    it.effect(`names ${name} when it is ${value}`, () =>
      Effect.gen(function* () {
        expect(String(yield* Effect.flip(read({ [name]: value })))).toContain(name)
      })
    )
  }

  it.effect.each([
    [{ AUTH_REMEMBER_NAME: "session" }, "session"],
    [{ AUTH_SESSION_NAME: "remember" }, "remember"],
    [{ AUTH_SESSION_NAME: "__Host-a", AUTH_REMEMBER_NAME: "__Host-a" }, "__Host-a"]
  ] as const)("names both variables when the cookies would share a name: %j", ([variables, name]) =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(read(variables))
      expect(failure.message).toBe(
        `AUTH_REMEMBER_NAME is "${name}" and AUTH_SESSION_NAME is "${name}", expected two different cookie names`
      )
    })
  )

  it.effect("names the cookie whose name promises the whole of one host and whose scope is another", () =>
    Effect.gen(function* () {
      const host = { AUTH_REMEMBER_NAME: "__Host-remember" }
      expect((yield* read(host)).rememberName).toBe("__Host-remember")
      for (const scope of [{ AUTH_REMEMBER_PATH: "/app" }, { AUTH_REMEMBER_DOMAIN: "example.com" }]) {
        expect((yield* Effect.flip(read({ ...host, ...scope }))).message).toContain(
          'AUTH_REMEMBER_NAME is "__Host-remember", expected a name without __Host-'
        )
      }
    })
  )

  it.effect("lets the two cookies exchange their names", () =>
    Effect.gen(function* () {
      const settings = yield* read({ AUTH_SESSION_NAME: "remember", AUTH_REMEMBER_NAME: "session" })
      expect(settings).toMatchObject({ sessionName: "remember", rememberName: "session" })
    })
  )
})

describe("settings given in code", () => {
  const given = (values: Partial<AuthConfig.Settings>) =>
    Effect.provide(AuthConfig.AuthConfig, AuthConfig.layerWith(values))

  it.effect("are the defaults, but for those that are given; the lowest cost of argon2 is allowed", () =>
    Effect.gen(function* () {
      expect(yield* given({})).toEqual(yield* read({}))
      expect((yield* given({ argon2: minimumPolicy })).argon2).toEqual({ memory: 19456, time: 2 })
      expect((yield* given({ appUrl: "https://example.com/shop//" })).appUrl).toBe("https://example.com/shop")
    })
  )

  const minute = Duration.seconds(60)
  const refused: ReadonlyArray<readonly [Partial<AuthConfig.Settings>, string]> = [
    [{ appUrl: "example.com" }, 'appUrl is "example.com", expected an http or https address without query or fragment'],
    [
      { appUrl: "https://ann@example.com" },
      'appUrl is "https://ann@example.com", expected an http or https address without query or fragment'
    ],
    [{ argon2: { memory: 19455, time: 2 } }, "argon2.memory is 19455, expected a whole number of at least 19456"],
    [{ argon2: { memory: 19456, time: 1 } }, "argon2.time is 1, expected a whole number of at least 2"],
    [{ argon2: { memory: Number.NaN, time: 2 } }, "argon2.memory is NaN, expected a whole number of at least 19456"],
    [{ argon2: { memory: 65536.5, time: 3 } }, "argon2.memory is 65536.5, expected a whole number of at least 19456"],
    [{ argon2: { memory: 65536, time: Infinity } }, "argon2.time is Infinity, expected a whole number of at least 2"],
    [{ hashConcurrency: 0 }, "hashConcurrency is 0, expected a whole number of at least 1"],
    [{ hashQueue: -1 }, "hashQueue is -1, expected a whole number of at least 0"],
    [{ sessionTtl: Duration.zero }, "sessionTtl is 0, expected at least 1 seconds"],
    [{ rememberTtl: Duration.infinity }, "rememberTtl is Infinity, expected at least 1 seconds"],
    [{ sessionName: "a b" }, 'sessionName is "a b", expected a cookie name'],
    [{ sessionName: "" }, 'sessionName is "", expected a cookie name'],
    [{ rememberName: "a;b" }, 'rememberName is "a;b", expected a cookie name'],
    [{ rememberPath: "app" }, 'rememberPath is "app", expected a path such as /app, without blanks and semicolons'],
    [
      { rememberPath: "/; Secure" },
      'rememberPath is "/; Secure", expected a path such as /app, without blanks and semicolons'
    ],
    [{ rememberDomain: "a b" }, 'rememberDomain is "a b", expected a domain name such as example.com'],
    [{ rememberDomain: "" }, 'rememberDomain is "", expected a domain name such as example.com'],
    [{ realm: 'a"' }, 'realm is "a\\"", expected up to 200 printable ASCII characters without quotes and backslashes'],
    [
      { rememberName: "__Host-remember", rememberPath: "/app" },
      'rememberName is "__Host-remember", expected a name without __Host- beside rememberPath or rememberDomain'
    ],
    [{ rememberName: "session" }, 'rememberName is "session", expected another name than sessionName'],
    [
      { sessionName: "remember", sessionIdle: minute },
      'rememberName is "remember", expected another name than sessionName'
    ]
  ]
  it.effect.each(refused)("are refused by the layer: %j", ([values, line]) =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(given(values))
      expect(failure).toBeInstanceOf(AuthConfig.InvalidAuthConfig)
      expect(failure.message).toBe(`The authentication setting ${line}`)
    })
  )
})
