// Looks up the route of a request. Only the exact spelling of a path matches, so that another spelling bypasses no guard.
import { HttpLayerRouter, HttpRouter } from "@effect/platform"
import type { NoRoute } from "../../../src/server/internal/App.ts"

type AnyRoute<R> = HttpLayerRouter.Route<never, R>

interface Found<R> {
  readonly _tag: "Found"
  readonly route: AnyRoute<R>
  readonly context: HttpRouter.RouteContext
  readonly query: Record<string, string | Array<string>>
}

type Routing<R> = (method: string, url: string) => Found<R> | NoRoute

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
const notFound: NoRoute = { _tag: "NotFound" }
const malformed: NoRoute = { _tag: "Malformed" }
const everything: NoRoute = { _tag: "Options", allow: methods }

const isMalformed = (url: string): boolean => {
  if (!url.includes("%")) return false
  try {
    decodeURIComponent(url.split("?", 1)[0] ?? "")
    return false
  } catch {
    return true
  }
}

// A path without parameters, patterns or encoded characters has one spelling.
const fixed = /^\/[\w.~/-]*$/

const found = <R>(
  route: AnyRoute<R>,
  params: HttpRouter.RouteContext["params"],
  query: Found<R>["query"]
): Found<R> => {
  const context = {
    [HttpRouter.RouteContextTypeId]: HttpRouter.RouteContextTypeId,
    // A boundary: only the pattern and the parameters are read from it, never its error or context type.
    route: route as unknown as HttpRouter.Route<unknown, unknown>,
    params
  } as const
  return { _tag: "Found", route, context, query }
}

/** Routes looked up by method and path; HEAD falls back to GET, a wrong method is not a wrong path. */
export const makeRouting = <R>(routes: ReadonlyArray<AnyRoute<R>>): Routing<R> => {
  const router = HttpLayerRouter.FindMyWay.make<AnyRoute<R>>({
    ignoreDuplicateSlashes: false,
    ignoreTrailingSlash: false,
    caseSensitive: true,
    maxParamLength: 512
  })
  for (const route of routes) {
    if (route.method === "*") router.all(route.path, route)
    else router.on(route.method, route.path, route)
  }
  // Most requests are for one of these fixed paths: their result is computed once.
  const known = new Map<string, Map<string, Found<R>>>(methods.map((method) => [method, new Map()]))
  const nothing = Object.freeze({})
  for (const { method, path } of routes) {
    const route = fixed.test(path) ? router.find(method, path)?.handler : undefined
    if (route !== undefined) known.get(method)?.set(path, found(route, nothing, nothing))
  }
  const find = (method: string, url: string) =>
    router.find(method, url) ?? (method === "HEAD" ? router.find("GET", url) : undefined)

  const miss = (method: string, url: string): NoRoute => {
    if (isMalformed(url)) return malformed
    const allow = methods.filter((candidate) => find(candidate, url) !== undefined)
    if (allow.length === 0) return notFound
    return method === "OPTIONS" ? { _tag: "Options", allow } : { _tag: "MethodNotAllowed", allow }
  }

  return (method, url) => {
    // `OPTIONS *` asks about the server, not about a path. Anything else that is no path was refused before.
    if (!url.startsWith("/")) return url === "*" && method === "OPTIONS" ? everything : malformed
    const result = known.get(method)?.get(url)
    if (result !== undefined) return result
    const searched = find(method, url)
    return searched === undefined ? miss(method, url) : found(searched.handler, searched.params, searched.searchParams)
  }
}
