// The languages of a program. A catalogue of texts is a `Context.Reference`, a language is a layer that replaces some.
import { Context, Effect, Layer } from "effect"
import * as AcceptLanguage from "./internal/AcceptLanguage.ts"
import * as Remembered from "./internal/text/Remembered.ts"

/** The language of one response. */
export interface Language {
  /** Its BCP 47 tag, as in `<html lang>`. */
  readonly tag: string
  /** The reader's own form of it, such as `en-GB`: for dates and numbers. */
  readonly locale: string
  /** The texts of a catalogue: those of the language, else those of the program, else the catalogue's default. */
  readonly texts: <Id, Texts>(catalogue: Context.Reference<Id, Texts>) => Texts
}

/** The type of a catalogue, from the texts of its default language. */
export type Catalogue<Texts> = {
  readonly [Name in keyof Texts]: Texts[Name] extends string
    ? string
    : Texts[Name] extends (...facts: never) => string
      ? Texts[Name]
      : Catalogue<Texts[Name]>
}

/**
 * English with the default texts.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { Languages } from "effect-framework/http"
 * import { Texts } from "effect-framework/routes/http"
 *
 * const price = (pence: number, { locale }: Languages.Language) =>
 *   new Intl.NumberFormat(locale, { style: "currency", currency: "GBP" }).format(pence / 100)
 *
 * export const shown = (pence: number) => Effect.map(Texts.language, (language) => price(pence, language))
 *
 * // A job has no request that could choose a language.
 * export const logged = (pence: number) => Effect.log(`paid ${price(pence, Languages.english)}`)
 * ```
 */
export const english: Language = { tag: "en", locale: "en", texts: (catalogue) => catalogue.defaultValue() }

/** The chosen language, and the catalogues that it replaces. */
interface Choice extends AcceptLanguage.Match {
  readonly catalogues: Context.Context<never>
}

/**
 * The languages that a program has; English alone unless `layer` adds others.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { Html, Languages } from "effect-framework/http"
 *
 * // Every language of the program in its own words: "English", "Deutsch".
 * export const choices = Effect.map(Languages.Languages, ({ tags }) =>
 *   tags.map((tag) => {
 *     const name = new Intl.DisplayNames(tag, { type: "language" }).of(tag)
 *     return Html.html`<option value="${tag}" lang="${tag}">${name}</option>`
 *   })
 * )
 * ```
 */
export class Languages extends Context.Reference<Languages>()("effect-framework/http/Languages", {
  defaultValue: (): {
    /** The default first. */
    readonly tags: readonly [string, ...ReadonlyArray<string>]
    /** The language for this header. */
    readonly choose: (acceptLanguage: string | undefined) => Choice
  } => ({ tags: ["en"], choose: () => onlyEnglish })
}) {}

const onlyEnglish: Choice = { tag: "en", locale: "en", catalogues: Context.empty() }

const make = (catalogues: ReadonlyMap<string, Context.Context<never>>) => {
  const [first = "en", ...others] = catalogues.keys()
  const tags = [first, ...others] as const
  const find = (header: string | undefined): Choice => {
    const match = AcceptLanguage.choose(header, tags)
    return { ...match, catalogues: catalogues.get(match.tag) ?? Context.empty() }
  }
  const byDefault = find(undefined)
  // Browsers of one language send a handful of different headers; a client that sends others pays for its own.
  const remembered = Remembered.make(find, 256)
  return Languages.of({
    tags,
    choose: (header) => (header === undefined || tags.length === 1 ? byDefault : remembered(header))
  })
}

const canonical = (tag: string): Effect.Effect<string> =>
  Effect.orElse(
    Effect.try(() => Intl.getCanonicalLocales(tag)[0] ?? tag),
    () => Effect.dieMessage(`${JSON.stringify(tag)} is not a language tag such as en or pt-BR.`)
  )

/**
 * The languages by BCP 47 tag, the default first. `Accept-Language` chooses one for each request:
 * `Languages.layer({ en: Layer.empty, de: German.layer })`. Anything else than a tag stops the start.
 *
 * @example
 * ```ts
 * import { Layer } from "effect"
 * import { Languages } from "effect-framework/http"
 * import { German } from "effect-framework/texts"
 *
 * export const languages = Languages.layer({ en: Layer.empty, de: German.layer })
 * ```
 */
export const layer = <E = never, R = never>(languages: Readonly<Record<string, Layer.Layer<never, E, R>>>) =>
  Layer.scoped(
    Languages,
    Effect.map(
      Effect.forEach(Object.entries(languages), ([tag, one]) => Effect.all([canonical(tag), Layer.build(one)])),
      (built) => make(new Map(built))
    )
  )
