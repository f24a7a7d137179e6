// A browser's manners over fetch: keeps cookies as a browser does, follows nothing by itself.
import { Effect } from "effect"

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: string
  readonly location: string | undefined
  readonly cookies: ReadonlyArray<string>
}

export interface Request {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Fields of a form, sent urlencoded. */
  readonly form?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly body?: string
}

export interface Client {
  readonly request: (path: string, request?: Request) => Effect.Effect<Answer>
  readonly get: (path: string, headers?: Readonly<Record<string, string>>) => Effect.Effect<Answer>
  /** A form as a page would send it: with the token of the last page that had one. */
  readonly submit: (path: string, form: Readonly<Record<string, string>>) => Effect.Effect<Answer>
  /** The cookies by name. A test may look, steal and plant. */
  readonly jar: Map<string, string>
}

const keep = (jar: Map<string, string>, line: string): void => {
  const [pair = "", ...attributes] = line.split(";")
  const at = pair.indexOf("=")
  const name = pair.slice(0, at).trim()
  const gone = attributes.some((attribute) => /^\s*max-age=0\s*$/i.test(attribute))
  if (gone) jar.delete(name)
  else jar.set(name, pair.slice(at + 1))
}

const bodyOf = ({ body, form, json }: Request): { readonly type?: string; readonly text?: string } => {
  if (form !== undefined) {
    return { type: "application/x-www-form-urlencoded", text: new URLSearchParams(form).toString() }
  }
  if (json !== undefined) return { type: "application/json", text: JSON.stringify(json) }
  return body === undefined ? {} : { text: body }
}

/** The form token that a page carries. */
export const tokenOf = (page: string): string | undefined => /name="_token" value="([^"]+)"/.exec(page)?.[1]

/** A client with an empty jar. */
export const make = (base: string): Client => {
  const jar = new Map<string, string>()
  let token: string | undefined

  const request = (path: string, given: Request = {}): Effect.Effect<Answer> =>
    Effect.promise(async (signal) => {
      const { text, type } = bodyOf(given)
      const cookie = Array.from(jar, ([name, value]) => `${name}=${value}`).join("; ")
      const response = await fetch(base + path, {
        method: given.method ?? (text === undefined ? "GET" : "POST"),
        redirect: "manual",
        signal,
        ...(text === undefined ? {} : { body: text }),
        headers: {
          accept: "text/html",
          ...(cookie === "" ? {} : { cookie }),
          ...(type === undefined ? {} : { "content-type": type }),
          ...given.headers
        }
      })
      const cookies = response.headers.getSetCookie()
      for (const line of cookies) keep(jar, line)
      const body = await response.text()
      token = tokenOf(body) ?? token
      const location = response.headers.get("location") ?? undefined
      return { status: response.status, headers: response.headers, body, location, cookies }
    })

  return {
    request,
    get: (path, headers = {}) => request(path, { headers }),
    submit: (path, form) => request(path, { form: token === undefined ? form : { _token: token, ...form } }),
    jar
  }
}
