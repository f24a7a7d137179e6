// The figures in the documentation are those of the code.
import { describe, expect, it } from "@effect/vitest"
import { Duration } from "effect"
import * as Tables from "../../layers/database/Tables.ts"
import * as DatabaseConfig from "../../src/database/DatabaseConfig.ts"
import { poolDefaults } from "../../layers/database/PoolDefaults.ts"
import * as ReportLimits from "../../src/errors/ReportLimits.ts"
import { afterResponseDefaults } from "../../src/http/AfterResponseDefaults.ts"
import { queueDefaults } from "../../layers/mail/MailQueueTable.ts"
import * as CommitCache from "../../layers/database/CommitCache.ts"
import * as CursorSignature from "../../layers/pagination/CursorSignature.ts"
import * as AuthRateLimits from "../../src/auth/AuthRateLimits.ts"
import * as PasswordHash from "../../src/auth/PasswordHash.ts"
import * as FormTexts from "../../src/auth/FormTexts.ts"
import * as Omitted from "../../src/errors/Omitted.ts"
import { defaultLimit } from "../../src/http/BodyLimit.ts"
import * as RetryPolicy from "../../src/mail/RetryPolicy.ts"
import { smtpTimeouts } from "../../src/mail/SmtpDefaults.ts"
import * as FleetEntry from "../../src/observability/FleetEntry.ts"
import * as Buckets from "../../src/observability/Buckets.ts"
import * as OtlpResource from "../../src/observability/OtlpResource.ts"
import * as OtlpResponse from "../../src/observability/OtlpResponse.ts"
import * as LinkHeader from "../../src/pagination/LinkHeader.ts"
import * as SeriesLimit from "../../src/observability/SeriesLimit.ts"
import * as PageLimits from "../../src/pagination/PageLimits.ts"
import { TestApp } from "../../testing/index.ts"
import { code, read, rows } from "./Pages.ts"

const seconds = Duration.toSeconds
const grouped = (figure: number): string => figure.toLocaleString("en")

/** The defaults of an option, wherever a page lists it: under the layer of the row, or of the rows above it. */
const defaults = (page: string, layer: string, option: string): ReadonlyArray<string> => {
  let current: ReadonlyArray<string> = []
  return rows(page).flatMap(([layers = "", names = "", values = ""]) => {
    if (layers !== "") current = code(layers)
    const at = code(names).indexOf(option)
    return at >= 0 && current.includes(layer) ? [code(values)[at] ?? values] : []
  })
}

describe("docs/auth.md", () => {
  const page = read("docs/auth.md")

  it("names the limits of the routes", () => {
    const said = (path: string, { limit, window }: typeof AuthRateLimits.rules.login) =>
      expect(page).toMatch(new RegExp(`\\| ${path} \\|.* ${limit} (?:e-mails )?in ${seconds(window)} s`))
    said("`/register`", AuthRateLimits.rules.register)
    said("`/login`", AuthRateLimits.rules.login)
    said("`/login`", AuthRateLimits.rules.loginPerAccount)
    said("`/verify/…`", AuthRateLimits.rules.verify)
    said("resend", AuthRateLimits.rules.resend)
    said("resend", AuthRateLimits.rules.resendPerAccount)
    said("`/forgot`", AuthRateLimits.rules.forgot)
    said("`/forgot`", AuthRateLimits.rules.forgotPerAccount)
    said("`/reset/…`", AuthRateLimits.rules.reset)
    said("`/password`", AuthRateLimits.rules.password)
    said("`/password`", AuthRateLimits.rules.confirmPerAccount)
  })

  it("names the rules for passwords", () => {
    expect(page).toContain(
      `at least ${FormTexts.minCharacters}\ncharacters, at most ${grouped(FormTexts.maxBytes)} bytes`
    )
    expect(page).toContain(`never below ${PasswordHash.minimumPolicy.memory} |`)
    expect(page).toContain(`never below ${PasswordHash.minimumPolicy.time} |`)
  })

  it("names the tables and columns", () => {
    const names = Object.values(Tables.defaults).filter((name) => typeof name === "string" && name !== "")
    expect(page).toContain(`\`${[Tables.defaults.users.table, ...names].join("`, `")}\``)
  })

  it("names the bounds of the work after a response", () => {
    const { concurrency, deadline, queue } = afterResponseDefaults
    expect(page).toContain(`${concurrency} tasks run at a time`)
    expect(page).toContain(`waits ${seconds(deadline)} seconds`)
    expect(defaults(page, "BoundedAfterResponse.layer", "concurrency")).toEqual([String(concurrency)])
    expect(defaults(page, "BoundedAfterResponse.layer", "queue")).toEqual([String(queue)])
    expect(defaults(page, "BoundedAfterResponse.layer", "deadline")).toEqual([deadline])
  })
})

describe("docs/mail.md", () => {
  const page = read("docs/mail.md")

  it("names the timeouts of a mail server", () => {
    const { connection, delivery, greeting, idle } = smtpTimeouts
    const said = [connection, greeting, idle, delivery].map((time) => `${seconds(time)} s`).join(", ")
    expect(defaults(page, "SmtpMailer.layerWith", "timeouts")).toEqual([said])
    expect(page).toContain(`| replies, but too slowly | ${seconds(delivery)} s in all |`)
  })

  it("names the lease, the attempts and the waits of the queue", () => {
    const { deliveryTimeout, firstRetryDelay, lease, maxAttempts } = RetryPolicy
    expect(queueDefaults.lease).toBe(lease)
    expect(defaults(page, "SqlMailQueue.layerWith", "lease")).toEqual([`${seconds(lease)} s`])
    expect(page).toContain(`for ${seconds(lease)} seconds (the lease)`)
    expect(page).toContain(`times out after ${seconds(deliveryTimeout)} seconds`)
    expect([maxAttempts, seconds(firstRetryDelay)]).toEqual([3, 30])
    expect(page).toContain("**Three attempts.** 30 seconds after the first failure, two minutes after the second")
  })
})

describe("docs/observability.md", () => {
  const page = read("docs/observability.md")

  it("names the bounds of a family", () => {
    expect(page).toContain(`A family holds ${grouped(SeriesLimit.maxSeries)} series`)
    expect(page).toContain(`longer than ${grouped(SeriesLimit.maxLabelLength)} characters`)
    expect(defaults(page, "family", "limit")).toEqual([String(SeriesLimit.maxSeries)])
    expect(defaults(page, "WorkerObservability.layerWith", "limit")).toEqual([String(SeriesLimit.maxSeries)])
  })

  it("names the buckets of a histogram", () => {
    const [first = 0, ...others] = Buckets.defaultBuckets
    const said = `${first * 1000} ms to ${others.at(-1)} s in ${Buckets.defaultBuckets.length} steps`
    expect(defaults(page, "Histogram", "buckets")).toEqual([said])
  })

  it("names the times of the fleet", () => {
    expect(page).toContain(`every ${seconds(FleetEntry.dumpInterval)} seconds`)
    expect(page).toContain(`has not reported for ${seconds(FleetEntry.defaultMaxAge)} seconds`)
    expect(defaults(page, "FileFleet.layer", "every")).toEqual([FleetEntry.dumpInterval])
    expect(defaults(page, "FileFleet.layer", "maxAge")).toEqual([FleetEntry.defaultMaxAge])
  })

  it("names the service and scope of an export, and the number of attempts", () => {
    expect(defaults(page, "Otlp.exporter", "service")).toEqual([OtlpResource.defaultService])
    expect(defaults(page, "Otlp.exporter", "scope")).toEqual([OtlpResource.defaultScope])
    expect(OtlpResponse.maxAttempts).toBe(5)
    expect(page).toContain("it tries again, five times in all")
  })
})

describe("docs/errors.md", () => {
  const page = read("docs/errors.md")

  it("names the bounds of reports and pages", () => {
    expect([seconds(ReportLimits.timeout), Omitted.maxChain]).toEqual([5, 5])
    expect(page).toContain("after five seconds it is interrupted")
    expect(page).toContain("five related errors")
    expect(page).toContain(`at most ${ReportLimits.maxClasses} classes apart`)
    expect(page).toContain(`longer than ${defaultLimit / 1024 / 1024} MiB; 413`)
  })
})

describe("docs/pagination.md", () => {
  const page = read("docs/pagination.md")

  it("names the bounds of a page", () => {
    const { defaultLimit, maxLimit } = PageLimits
    expect(page).toContain(`from 1 to ${maxLimit}; more is ${maxLimit}, anything else is ${defaultLimit}`)
    expect(defaults(page, "Pagination.make", "limit")).toEqual([String(defaultLimit)])
    expect(defaults(page, "Resource.respond", "limit")).toEqual([String(defaultLimit)])
    expect(defaults(page, "Resource.respond", "maxLimit")).toEqual([String(maxLimit)])
    const cacheBytes = CommitCache.capacityBytes
    expect(page).toContain(`caches up to ${CommitCache.capacity} pages and ${cacheBytes / 1024 / 1024} MiB`)
    expect(defaults(page, "SqlRepository.make", "cacheBytes")).toEqual([String(cacheBytes)])
    expect(page).toContain(`never longer than ${LinkHeader.maxLength} characters`)
  })

  it("names the keys that sign cursors", () => {
    expect(page).toContain(`\`${CursorSignature.variable}\` (${CursorSignature.minKeyLength} characters or more`)
  })
})

describe("docs/testing.md", () => {
  it("names the address of links", () => {
    expect(read("docs/testing.md")).toContain(`links to \`${TestApp.appUrl}\``)
  })
})

describe("docs/deployment.md", () => {
  it("names the connections to PostgreSQL", () => {
    const { connectTimeout, maxConnections, statementTimeout } = poolDefaults
    const page = read("docs/deployment.md")
    expect(defaults(page, "PostgresDatabase.layer", "maxConnections")).toEqual([String(maxConnections)])
    expect(defaults(page, "PostgresDatabase.layer", "connectTimeout")).toEqual([String(connectTimeout)])
    expect(defaults(page, "PostgresDatabase.layer", "statementTimeout")).toEqual([String(statementTimeout)])
    expect(defaults(page, "Database.layer", "statementTimeout")).toEqual([
      String(DatabaseConfig.defaultStatementTimeout)
    ])
    expect(statementTimeout).toBe(DatabaseConfig.defaultStatementTimeout * 1000)
    expect(page).toContain(`${maxConnections} × workers × machines`)
  })
})
