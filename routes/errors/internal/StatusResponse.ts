// The response of a status: the project's page, one in the layout, the built-in one, or plain text; or JSON.
import { HttpServerResponse } from "@effect/platform"
import { type Cause, Effect, Option } from "effect"
import * as ErrorBody from "../../../src/errors/internal/ErrorBody.ts"
import type { ErrorPages, Page } from "../../../src/errors/ErrorPages.ts"
import { HttpTexts } from "../../../src/http/HttpTexts.ts"
import type { Language } from "../../../src/http/Languages.ts"
import * as Status from "../../../src/http/internal/text/Status.ts"
import * as Accept from "../../../src/http/Accept.ts"
import { html, unsafeRaw } from "../../../src/http/Html.ts"

/** The style, inlined by its hash. */
export const style = `:root{color-scheme:light dark;--ground:#f6f5f1;--ink:#1c1d22;--faint:#5d606b}
@media (prefers-color-scheme:dark){:root{--ground:#15161b;--ink:#e9e9ee;--faint:#a4a8b5}}
html{font:100%/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;background:var(--ground);color:var(--ink)}
body{margin:0;min-height:100vh;display:grid;place-content:center;text-align:center;padding:2rem;box-sizing:border-box}
p{margin:0;font-size:clamp(3.5rem,2rem + 8vw,6rem);font-weight:750;line-height:1;letter-spacing:-.05em}
h1{margin:.75rem 0 0;font-size:1.15rem;font-weight:500;color:var(--faint)}`

/** The hash that allows the style in a Content-Security-Policy. A test compares it with the style above. */
export const styleHash = "'sha256-J7oCjp9DM52AyO4Um4BK7yL7/JKWnYhoFVo+aT54ywE='"

// As one piece: white space around the style would change its hash.
const sheet = unsafeRaw(`<style>${style}</style>`)

/** The document of a status. */
export const statusPage = (status: number, message: string, language: string = "en", request: string = ""): string =>
  html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${status} ${message}</title>
        <link rel="icon" href="data:," />
        ${sheet}
      </head>
      <body>
        <main>
          <p>${status}</p>
          <h1>${message}</h1>${request !== "" && html`<small>${request}</small>`}
        </main>
      </body>
    </html>`.markup

/** The three formats. */
export type Kind = "text/html" | "application/json" | "application/problem+json"

const problem = "application/problem+json"

// The usual browser: HTML at full quality and no JSON. No need to compare qualities.
const htmlOnly = /(?:^|,)\s*text\/html\s*(?:,|$)/i
const mentionsJson = /json|application\/\*/i

/**
 * A page unless the client prefers JSON; for the endpoints of an API, JSON unless it prefers a page. A client that accepts
 * both JSON types gets the problem document.
 */
export const kind = (accept: string | undefined, isApi = false): Kind => {
  const standard = isApi ? "application/json" : "text/html"
  if (accept === undefined) return standard
  if (htmlOnly.test(accept) && !mentionsJson.test(accept)) return "text/html"
  const best = isApi
    ? Accept.preferred(accept, ["application/json", problem, "text/html"])
    : Accept.preferred(accept, ["text/html", "application/json", problem])
  return best === undefined ? standard : ofJson(accept, best)
}

const ofJson = (accept: string, best: Kind): Kind => {
  const acceptsProblem = best === "application/json" && accept.toLowerCase().includes(problem)
  return acceptsProblem ? (Accept.preferred(accept, [problem, "application/json"]) ?? best) : best
}

type Response = HttpServerResponse.HttpServerResponse

/** A message, or how to say it in the language of the request. */
type Message = string | ((language: Language) => string)

/** The headers, message and fields of a response. */
export interface Options {
  readonly headers?: Readonly<Record<string, string>>
  /** Shown in place of the status text. */
  readonly message?: Message
  /** The status that is sent, where it is not that of the page. */
  readonly sent?: number
  /** What was expected of the request, by path; JSON only. */
  readonly fields?: ErrorBody.Fields
}

/** A response with a text body. It varies with `Accept` and must not be stored. */
export const send = (
  status: number,
  contentType: string,
  body: string,
  headers: Readonly<Record<string, string>> = {}
): Response => {
  const all: Record<string, string> = { "content-type": contentType, vary: "Accept", "cache-control": "no-store" }
  for (const name in headers) all[name.toLowerCase()] = headers[name] ?? ""
  return HttpServerResponse.raw(body, { status, headers: all })
}

const builtInPolicy =
  `default-src 'none'; style-src ${styleHash}; img-src data:; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

interface Parts {
  /** The id of the request. */
  readonly id: string
  readonly views: ErrorPages["Type"]
  readonly kind: Kind
  readonly language: Language
  /** Reports a project page that cannot be rendered. */
  readonly report: (cause: Cause.Cause<unknown>) => Effect.Effect<void>
  /** The page in the program's layout, where it has one. */
  readonly layout: (message: string) => Effect.Effect<Option.Option<string>>
}

/** The response of a status for this client. Never fails: each format falls back to a simpler one. */
export const make = (
  { id, kind: wanted, language, layout, report, views }: Parts,
  status: number,
  { fields, headers = {}, message }: Options,
  facts?: ErrorBody.Facts
): Effect.Effect<Response> => {
  const texts = language.texts(HttpTexts)
  const text = Status.text(status, texts.statuses)
  const shownMessage = (typeof message === "function" ? message(language) : message) ?? text
  if (wanted === "application/json") {
    return Effect.sync(() =>
      send(status, wanted, JSON.stringify(ErrorBody.status(shownMessage, fields, facts)), headers)
    )
  }
  if (wanted === "application/problem+json") {
    return Effect.sync(() => {
      const body = ErrorBody.problem(status, shownMessage, { id, fields, title: text, facts })
      return send(status, wanted, JSON.stringify(body), headers)
    })
  }
  const html = (body: string, csp: string) =>
    send(status, "text/html; charset=utf-8", body, { ...headers, "content-security-policy": csp })
  const builtIn = () => html(statusPage(status, shownMessage, language.tag, texts.layout.requestId(id)), builtInPolicy)
  // Has the policy of every other page.
  const inLayout = () =>
    Effect.map(
      layout(shownMessage),
      Option.match({ onNone: builtIn, onSome: (markup) => send(status, "text/html; charset=utf-8", markup, headers) })
    )
  const page = Effect.suspend(() => views.page({ status, text, message: shownMessage, language: language.tag, id }))
  const shown = Effect.flatMap(page, (own: Option.Option<Page>) =>
    own._tag === "Some" ? Effect.succeed(html(own.value.markup, own.value.policy)) : inLayout()
  )
  const plain = Effect.sync(() => send(status, "text/plain; charset=utf-8", shownMessage, headers))
  return Effect.catchAllCause(shown, (cause) => Effect.catchAllCause(Effect.map(report(cause), builtIn), () => plain))
}
