// The project's error pages from files: `404.html` in one folder, `404.de.html` for a language; read at the start, in development at each error.
import { Effect, Either, Layer, Option } from "effect"
import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Environment } from "../../src/errors/Environment.ts"
import * as PagePolicy from "../../src/errors/PagePolicy.ts"
import * as Template from "../../src/errors/Template.ts"
import { type PageData, type Page, ErrorPageError, ErrorPages } from "../../src/errors/ErrorPages.ts"

type Renderer = (data: PageData) => Either.Either<Page, ErrorPageError>

const hashes = (text: string, name: "style" | "script"): ReadonlyArray<string> =>
  Template.inlined(text, name).map((content) => `'sha256-${createHash("sha256").update(content).digest("base64")}'`)

const compile = (status: number, text: string): Renderer => {
  const parsed = Template.parse(text)
  if (Either.isLeft(parsed)) return () => Either.left(new ErrorPageError({ status, reason: parsed.left }))
  const policy = PagePolicy.make(hashes(text, "style"), hashes(text, "script"))
  return (data) => Either.right({ markup: parsed.right(data), policy })
}

const read = (directory: string, name: string, status: number): Renderer => {
  try {
    return compile(status, readFileSync(join(directory, name), "utf8"))
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

// By `404` and `404.de`.
const load = (directory: string): ReadonlyMap<string, Renderer> => {
  const pages = new Map<string, Renderer>()
  for (const name of list(directory)) {
    const [, key, status] = /^(([1-5]\d\d)(?:\.[A-Za-z0-9-]{1,35})?)\.html$/.exec(name) ?? []
    if (key !== undefined) pages.set(key, read(directory, name, Number(status)))
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
