// Any thrown value or cause as text: for a terminal, as escaped HTML, or as a whole debug page.
import { Console, Context, Effect, Option } from "effect"
import { RequestState } from "../http/internal/RequestState.ts"
import { html } from "../http/Html.ts"
import * as CauseThrowables from "./internal/CauseThrowables.ts"
import * as ConsoleReport from "./internal/ConsoleReport.ts"
import * as DebugPage from "./internal/debug/DebugPage.ts"
import { opened } from "./internal/debug/SourceExcerpt.ts"
import * as SecretNames from "../http/internal/text/SecretNames.ts"
import { Sources } from "./Sources.ts"
import { Throwable } from "./Throwable.ts"

/** 1: class and message. 2: also the file and its source. 3: also the stack. */
export type Verbosity = ConsoleReport.Verbosity

/** What a rendered throwable is for, and how much it shows. */
export interface RenderOptions {
  /** `cli` has ANSI colors, `html` is escaped. By default `html` inside of a request, and `cli` elsewhere. */
  readonly target?: "cli" | "html"
  /** Default: 3. */
  readonly verbosity?: Verbosity
}

/** The tables of a debug page: rows of name and value by the title of their section. */
export type PageContext = Readonly<Record<string, Readonly<Record<string, string>>>>

const throwableOf = (thrown: unknown): Throwable =>
  thrown instanceof Throwable ? thrown : CauseThrowables.from(thrown)

const defaultTarget = Effect.map(Effect.context<never>(), (services) =>
  Option.isSome(Context.getOption(services, RequestState)) ? ("html" as const) : ("cli" as const)
)

/**
 * The class, message, source and stack of a thrown value, a cause or a `Throwable`.
 *
 * @example
 * ```ts
 * import { Console, Effect } from "effect"
 * import { Throwables } from "effect-framework/errors"
 *
 * const job = Effect.fail(new Error("The kettle is empty"))
 *
 * export const program = Effect.catchAllCause(job, (cause) =>
 *   Effect.flatMap(Throwables.render(cause, { target: "cli" }), Console.error)
 * )
 * ```
 */
export const render = (
  thrown: unknown,
  { target, verbosity = 3 }: RenderOptions = {}
): Effect.Effect<string, never, Sources> =>
  Effect.gen(function* () {
    const sources = yield* Sources
    const throwable = throwableOf(thrown)
    yield* opened(sources, throwable)
    const isPlain = (target ?? (yield* defaultTarget)) === "html"
    const text = ConsoleReport.render(throwable, { sources, verbosity, colours: !isPlain })
    return isPlain ? html`<pre>${text}</pre>`.markup : text
  })

/**
 * Renders with the default target, and prints it to standard error. It does not call the reporters.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { Throwables } from "effect-framework/errors"
 * import { FileSources } from "effect-framework/layers/errors"
 *
 * const brew = (tea: string) => (tea === "rust" ? Effect.die(new Error("The kettle leaks")) : Effect.log(`brewing ${tea}`))
 *
 * // A script that goes on after a failure, and shows it with its source.
 * export const program = Effect.forEach(["assam", "rust", "sencha"], (tea) =>
 *   Effect.catchAllCause(brew(tea), Throwables.report)
 * ).pipe(Effect.provide(FileSources.layer))
 * ```
 */
export const report = (thrown: unknown): Effect.Effect<void, never, Sources> =>
  Effect.flatMap(render(thrown), (text) => Console.error(text))

/**
 * The debug page as one HTML document, which loads nothing. Every text is escaped, and values under secret names are masked.
 * Show it to developers alone. `nonce` is that of the `Content-Security-Policy` under which its style and script may run.
 */
export const page = (
  thrown: unknown,
  context: PageContext = {},
  nonce: string = ""
): Effect.Effect<string, never, Sources> =>
  Effect.gen(function* () {
    const sources = yield* Sources
    const throwable = throwableOf(thrown)
    yield* opened(sources, throwable)
    const sections = Object.entries(context).map(([title, rows]) => ({
      title,
      rows: Object.entries(rows).map(([name, value]) => [name, SecretNames.maskNamed(name, value)] as const)
    }))
    return DebugPage.render({ throwable, context: sections }, { sources, nonce })
  })
