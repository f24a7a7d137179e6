// Everything that reads or writes text from outside does so in linear time. A new function is one line of the table.
import { afterEach, describe, expect, it } from "@effect/vitest"
import { Cause, Duration, FiberId, FiberRefs, HashMap, List, LogLevel } from "effect"
import { setImmediate } from "node:timers/promises"
import * as GuestCookie from "../layers/session/internal/GuestCookie.ts"
import * as MultipartParser from "../layers/session/internal/MultipartParser.ts"
import * as Glob from "../layers/observability/internal/Glob.ts"
import * as UserAgent from "../src/auth/internal/UserAgent.ts"
import * as CommonPasswords from "../src/auth/internal/passwords/CommonPasswords.ts"
import * as Authorization from "../src/http/internal/Authorization.ts"
import * as BearerToken from "../src/session/internal/BearerToken.ts"
import * as CookiePolicy from "../src/session/internal/CookiePolicy.ts"
import * as RequestOrigin from "../src/session/internal/RequestOrigin.ts"
import * as MaskedCsrf from "../layers/session/internal/MaskedCsrf.ts"
import * as Users from "../src/auth/Users.ts"
import * as PasskeyResponse from "../src/auth/internal/passkeys/PasskeyResponse.ts"
import * as ReturnTo from "../src/session/internal/ReturnTo.ts"
import * as SqlKeyRing from "../layers/session/internal/SqlKeyRing.ts"
import * as ForwardedFor from "../src/session/internal/ForwardedFor.ts"
import * as IpAddress from "../src/session/internal/IpAddress.ts"
import * as SplitToken from "../src/session/internal/SplitToken.ts"
import { parse } from "../src/database/internal/DatabaseConfig.ts"
import * as RedactedUrl from "../src/database/internal/RedactedUrl.ts"
import * as ConsoleReport from "../src/errors/internal/ConsoleReport.ts"
import * as DebugPage from "../src/errors/internal/debug/DebugPage.ts"
import * as Editors from "../src/errors/internal/debug/Editors.ts"
import * as Hints from "../src/errors/internal/debug/Hints.ts"
import * as MailboxPanel from "../src/devtools/internal/MailboxPanel.ts"
import * as Highlight from "../src/errors/internal/debug/Highlight.ts"
import * as RecordLine from "../src/errors/internal/RecordLine.ts"
import * as Redaction from "../src/errors/Redaction.ts"
import * as SecretNames from "../src/http/internal/text/SecretNames.ts"
import * as ErrorBody from "../src/errors/internal/ErrorBody.ts"
import * as SafeText from "../src/http/internal/text/SafeText.ts"
import * as Preview from "../src/errors/internal/Preview.ts"
import * as RequestSecrets from "../src/errors/internal/RequestSecrets.ts"
import * as SourceExcerpt from "../src/errors/internal/debug/SourceExcerpt.ts"
import type * as Sources from "../src/errors/Sources.ts"
import * as Stack from "../src/errors/internal/Stack.ts"
import { statusPage } from "../routes/errors/internal/StatusResponse.ts"
import * as Template from "../src/errors/internal/Template.ts"
import * as Throwable from "../src/errors/Throwable.ts"
import * as Accept from "../src/http/Accept.ts"
import * as Fields from "../src/http/internal/Fields.ts"
import * as PartHead from "../src/session/internal/PartHead.ts"
import * as Escape from "../src/http/internal/text/Escape.ts"
import * as MailMessage from "../src/mail/MailMessage.ts"
import * as MailSettings from "../src/mail/internal/MailSettings.ts"
import * as Json from "../src/observability/Json.ts"
import * as Labels from "../src/observability/Labels.ts"
import { acceptsOpenMetrics } from "../src/observability/internal/export/MetricsNegotiation.ts"
import * as OpenMetrics from "../src/observability/OpenMetrics.ts"
import * as Otlp from "../src/observability/Otlp.ts"
import * as LogFormat from "../src/observability/internal/LogFormat.ts"
import * as Prometheus from "../src/observability/Prometheus.ts"
import * as OtlpResponse from "../src/observability/internal/export/OtlpResponse.ts"
import * as Snapshot from "../src/observability/Snapshot.ts"
import * as Column from "../src/pagination/Column.ts"
import * as Cursor from "../src/pagination/Cursor.ts"
import * as Dialect from "../src/pagination/internal/query/Dialect.ts"
import * as Entity from "../src/pagination/Entity.ts"
import * as Links from "../src/pagination/Links.ts"
import * as ListQuery from "../src/pagination/ListQuery.ts"
import * as Operand from "../src/pagination/internal/query/Operand.ts"
import * as Selection from "../src/pagination/Selection.ts"
import { printXml } from "../src/pagination/internal/ListFormat.ts"
import * as Setting from "../src/config/internal/Setting.ts"
import * as OtlpValue from "../src/observability/internal/export/OtlpValue.ts"
import * as TraceContext from "../src/http/internal/TraceContext.ts"
import * as Growth from "./support/Growth.ts"
import { hostileTexts } from "./support/HostileTexts.ts"

const Cup = Entity.make("cups", { key: "id", columns: { id: Column.integer, name: Column.text } })
const listParameters = ListQuery.make(Cup, {
  sort: ["name"],
  filters: { author: { column: "id" }, names: { column: "name", operator: "in" } },
  search: { columns: ["name"], maxLength: 1_000_000 }
})
const sources: Sources.Sources["Type"] = { root: "/app", locate: (place) => place, read: () => [] }

/** An error whose stack is the text, and whose message is another part of it. */
const thrown = (text: string): Throwable.Throwable => {
  const error = new Error(text)
  Object.assign(error, { stack: text, name: "Custom", field: text })
  return new Throwable.Throwable(error)
}

const entry = (text: string) => ({
  fiberId: FiberId.none,
  logLevel: LogLevel.Info,
  message: text,
  cause: Cause.die(new Error(text)),
  context: FiberRefs.empty(),
  spans: List.empty(),
  annotations: HashMap.make(["name", text]),
  date: new Date(0)
})

const handled = (text: string) => ({
  id: "1",
  method: "GET",
  route: text,
  status: 200,
  duration: 1,
  at: 1,
  aborted: false
})

const snapshot = (text: string) =>
  Snapshot.make(1, [{ name: "a", type: "gauge", help: text, series: [{ labels: Labels.of({ a: text }), value: 1 }] }])

const proxies = ForwardedFor.parseTrusted("0.0.0.0/0,::/0") ?? []
const ring = SqlKeyRing.fromKeys([{ id: 1, secret: new Uint8Array(32), created: 0 }], 0)
const secretsOf = (text: string) => RequestSecrets.secrets([["password", text]])

/** Everything that takes a text which someone else wrote. */
const functions: Readonly<Record<string, (text: string) => unknown>> = {
  "AccessLine.pretty": (text) => LogFormat.requestPretty(handled(text)),
  "AccessLine.json": (text) => LogFormat.requestJson(handled(text), ""),
  "Accept.preferred": (text) => Accept.preferred(text, ["text/html", "application/json"]),
  "Accept.prefersJson": Accept.prefersJson,
  "UserAgent.describe": UserAgent.describe,
  "CommonPasswords.isCommon": CommonPasswords.isCommon,
  "ConsoleReport.render": (text) => ConsoleReport.render(thrown(text), { sources }),
  "Authorization.read": (text) => Authorization.read(`Bearer ${text}`),
  "BearerToken.kindOf": BearerToken.kindOf,
  "CookiePolicy.read": (text) => CookiePolicy.read(text, "a"),
  "RequestOrigin.isOwnOrigin": (text) =>
    RequestOrigin.isOwnOrigin({ origin: text, host: text, secFetchSite: text }, "https://example.com"),
  "MaskedCsrf.unmask": MaskedCsrf.unmask,
  "PasskeyResponse.parseAssertion": PasskeyResponse.parseAssertion,
  "PasskeyResponse.challengeOf": PasskeyResponse.challengeOf,
  "Cursor.decode": (text) => Cursor.decode(text, 2),
  "Cursor.decode of base64url": (text) => Cursor.decode(Buffer.from(text).toString("base64url"), 2),
  "Cursor.encode": (text) => Cursor.encode([text]),
  "RedactedUrl.redact": RedactedUrl.redact,
  "DatabaseUrlParser.parse": parse,
  "DebugPage.render": (text) =>
    DebugPage.render(
      { throwable: thrown(text), context: [{ title: text, rows: [[text, text]] }] },
      { sources, nonce: "x" }
    ),
  "Hints.of": (text) => Hints.of(thrown(`no such table: ${text}`)),
  "MailboxPanel.detail": (text) =>
    MailboxPanel.detail({ name: "1-1-1.eml", at: 1, from: text, to: text, subject: text, text, html: text }),
  "RequestSecrets.ofRequest": (text) =>
    RequestSecrets.ofRequest({ headers: { cookie: text, authorization: text }, url: `${text}?${text}` }, undefined),
  "Dialect.pattern": (text) => Dialect.sqlite.pattern("like", text),
  "Dialect.quote": Dialect.quote,
  "Editors.link": (text) => Editors.link("VS Code", { file: text, line: 1, column: 1 }),
  "Users.normalizeEmail": Users.normalizeEmail,
  "Fields.fromForm": Fields.fromForm,
  "Fields.fromJson": Fields.fromJson,
  "PartHead.parse": (text) =>
    PartHead.parse({ "content-disposition": `form-data; name="${text}`, "content-type": text }),
  "PartHead.baseName": PartHead.baseName,
  "MultipartParser.make": (text) => MultipartParser.make(`multipart/form-data; ${text}`, 1000),
  "MultipartParser.write": (text) => {
    const parser = MultipartParser.make("multipart/form-data; boundary=-a", 1_000_000)
    for (const bytes of ["---a\r\n", text, `\r\n\r\n${text}\r\n---a--`]) parser?.write(Buffer.from(bytes))
    return parser?.end()
  },
  "Glob.matches": (text) => Glob.matches("*a*a*b*", text),
  "Glob.matches by a pattern": (text) => Glob.matches(text, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
  "GuestCookie.decode": (text) => GuestCookie.decode(text, ring, 1, Duration.hours(1)),
  "Highlight.lines": (text) => Highlight.lines([text]),
  "Highlight.lines after others": (text) => Highlight.lines(["a"], text.split("\n")),
  "Escape.escape": Escape.escape,
  "ReturnTo.parse": ReturnTo.parse,
  "Json.decode": (text) => Json.decode(text),
  "Json.encode": (text) => Json.exporter.export(snapshot(text)),
  "MailMessage.parseAddress": MailMessage.parseAddress,
  "MailSettings.parseSender": MailSettings.parseSender,
  "Links.parse": Links.parse,
  "ListQuery.decode": (text) => listParameters.decode(Links.parse(`/?sort=${text}&author=${text}&q=${text}`)),
  "ListQuery.decodeValues": (text) => listParameters.decodeValues({ names: text, q: text }),
  "RecordLine.make": (text) =>
    RecordLine.encode(RecordLine.maker(sources).make(thrown(text), { uri: text, peer: text }, 0)),
  "SecretNames.isSecret": SecretNames.isSecret,
  "SecretNames.isSecretField": SecretNames.isSecretField,
  "RequestSecrets.path": RequestSecrets.path,
  "RequestSecrets.query": RequestSecrets.query,
  "RequestSecrets.secrets": secretsOf,
  "Redaction.text": (text) => Redaction.text(text),
  "Redaction.text with secrets": (text) => Redaction.text(text, secretsOf(text.slice(1))),
  "RequestSecrets.tokenSegments": RequestSecrets.tokenSegments,
  "OpenMetrics.encode": (text) => OpenMetrics.exporter.export(snapshot(text)),
  "MetricsNegotiation.acceptsOpenMetrics": acceptsOpenMetrics,
  "Otlp.encode": (text) => Otlp.exporter({ start: 0 }).export(snapshot(text)),
  "ErrorBody.details": (text) => ErrorBody.details(thrown(text), sources, secretsOf(text)),
  "ForwardedFor.bucket": ForwardedFor.bucket,
  "IpAddress.canonical": IpAddress.canonical,
  "ForwardedFor.parseTrusted": ForwardedFor.parseTrusted,
  "ForwardedFor.resolve": (text) => ForwardedFor.resolve("127.0.0.1", text, proxies),
  "Plain.clip": (text) => SafeText.clip(text, text.length >> 1),
  "Plain.line": SafeText.line,
  "Plain.visible": SafeText.visible,
  "Preview.of": Preview.of,
  "Preview.of an object": (text) => Preview.of({ [text]: [text, new Error(text)] }),
  "LogFormat.pretty": (text) => LogFormat.pretty(entry(text)),
  "LogFormat.json": (text) => LogFormat.json(entry(text)),
  "Prometheus.encode": (text) => Prometheus.exporter.export(snapshot(text)),
  "Secret.parse": SplitToken.parse,
  "Selection.literally": Selection.escapePattern,
  "Operand.closePattern": Operand.closePattern,
  "Setting.withoutSlashes": Setting.withoutSlashes,
  "TraceContext.parse": (text) => TraceContext.parse(`00-${"a".repeat(32)}-${"b".repeat(16)}-01`, text),
  "TraceContext.parse a parent": (text) => TraceContext.parse(text),
  "OtlpValue.any": (text) => OtlpValue.any(text),
  "Shipment.judge": (text) => OtlpResponse.interpret({ status: 200, body: text, retryAfter: text }, 0),
  "SourceExcerpt.split": SourceExcerpt.split,
  "Stack.parse": (text) => Stack.parse(text, "Error", "x"),
  "Stack.parse with the message": (text) => Stack.parse(`Uncaught ${text}\n${text}`, "Error", text.slice(1)),
  "Stack.parse with an older message": (text) => Stack.parse(`Error: ${text}`, "Error", `while reading: ${text}x`),
  "Stack.path": (text) => Stack.path(`file://${text}`),
  "StatusPage.render": (text) => statusPage(500, text),
  "Template.include": (text) => Template.include(text, new Map([["head", text]])),
  "Template.inlined": (text) => Template.inlined(text, "style"),
  "Template.parse": Template.parse,
  "Xml.print": (text) => printXml("a", { [text]: text })
}

describe("in linear time", () => {
  // Each blocks its worker, and vitest gives up a worker that reads no message for a minute.
  afterEach(() => setImmediate())

  it.each(Object.entries(functions))("%s", { timeout: 240_000 }, (_, read) => {
    const worse = hostileTexts.flatMap(([label, hostile]) => {
      const found = Growth.excess((size) => {
        const text = hostile(size)
        return () => void read(text)
      })
      return found === undefined ? [] : [`${label}: ${found}`]
    })
    expect(worse.join("\n")).toBe("")
  })

  it("would notice a function that is not", () => {
    const quadratic = (text: string) => text.replace(/\s+$/, "")
    const noticed = () => Growth.excess((size) => () => void quadratic(`${" ".repeat(size)}x`))
    // A machine that is busy for the smaller size alone hides it.
    expect(noticed() ?? noticed() ?? noticed()).toContain("characters")
    expect(Growth.excess((size) => () => void " ".repeat(size).replace(/\s/g, "x"))).toBeUndefined()
  })
})
