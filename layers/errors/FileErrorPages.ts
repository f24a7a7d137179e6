// The project's error pages from files: `404.html` in one folder, `404.de.html` for a language, `_head.html` for what they
// include; read at the start, in development at each error.
import { Effect, Either, Layer, Option } from "effect"
import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Environment } from "../../src/config/Environment.ts"
import * as Template from "../../src/errors/internal/Template.ts"
import { ErrorPageError, ErrorPages, type Page, type PageData } from "../../src/errors/ErrorPages.ts"

type Renderer = (data: PageData) => Either.Either<Page, ErrorPageError>

const hashes = (text: string, name: "style" | "script"): ReadonlyArray<string> =>
  Template.inlined(text, name).map((content) => `'sha256-${createHash("sha256").update(content).digest("base64")}'`)

type Partials = ReadonlyMap<string, string>

const compile = (status: number, text: string, partials: Partials): Renderer => {
  const compiled = Either.flatMap(Template.include(text, partials), (whole) =>
    Either.map(Template.parse(whole), (render) => {
      const policy = Template.pagePolicy(hashes(whole, "style"), hashes(whole, "script"))
      return (data: PageData) => ({ markup: render(data), policy })
    })
  )
  if (Either.isLeft(compiled)) return () => Either.left(new ErrorPageError({ status, reason: compiled.left }))
  return (data) => Either.right(compiled.right(data))
}

const read = (directory: string, name: string, status: number, partials: Partials): Renderer => {
  try {
    return compile(status, readFileSync(join(directory, name), "utf8"), partials)
  } catch (thrown) {
    const reason = `${name} cannot be read: ${thrown instanceof Error ? thrown.message : String(thrown)}`
    return () => Either.left(new ErrorPageError({ status, reason }))
  }
}

const list = (directory: string): ReadonlyArray<string> => {
  try {
    return readdirSync(directory)
  } catch {
    // Without the folder there are no pages.
    return []
  }
}

// By `head` for `_head.html`. A page that includes one that cannot be read says that it is not there.
const loadPartials = (directory: string, names: ReadonlyArray<string>): Partials => {
  const partials = new Map<string, string>()
  for (const name of names) {
    const [, key] = /^_([a-z0-9-]{1,64})\.html$/.exec(name) ?? []
    if (key === undefined) continue
    try {
      partials.set(key, readFileSync(join(directory, name), "utf8"))
    } catch {
      continue
    }
  }
  return partials
}

// By `404` and `404.de`.
const load = (directory: string): ReadonlyMap<string, Renderer> => {
  const pages = new Map<string, Renderer>()
  const names = list(directory)
  const partials = loadPartials(directory, names)
  for (const name of names) {
    const [, key, status] = /^(([1-5]\d\d)(?:\.[A-Za-z0-9-]{1,35})?)\.html$/.exec(name) ?? []
    if (key !== undefined) pages.set(key, read(directory, name, Number(status), partials))
  }
  return pages
}

const make = (directory: string) =>
  Effect.map(Environment, (environment) => {
    const atStart = load(directory)
    const pages = environment === "development" ? () => load(directory) : () => atStart
    return ErrorPages.of({
      page: (data) => {
        const found = pages()
        const render = found.get(`${data.status}.${data.language}`) ?? found.get(String(data.status))
        return render === undefined ? Effect.succeedNone : Effect.map(render(data), Option.some)
      }
    })
  })

/** The pages of a folder such as `views/errors`. */
export const layer = (directory: string): Layer.Layer<ErrorPages, never, Environment> =>
  Layer.effect(ErrorPages, make(directory))
