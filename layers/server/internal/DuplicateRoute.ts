// Finds two routes for the same requests before the server is built from them.

interface Named {
  readonly method: string
  readonly path: string
}

// => /notes/:   of `/notes/:id` and `/notes/:name`
const shape = (path: string): string => path.replace(/:\w+/g, ":")

const overlaps = (one: Named, other: Named): boolean =>
  one.method === other.method || one.method === "*" || other.method === "*"

/** The routes without those whose requests one of `stated` takes. */
export const others = <A extends Named>(routes: ReadonlyArray<A>, stated: ReadonlyArray<Named>): ReadonlyArray<A> =>
  routes.filter((route) => !stated.some((other) => overlaps(route, other) && shape(route.path) === shape(other.path)))

const nameOf = ({ method, path }: Named): string => `${method} ${path}`

/** The line for the first route that another one hides; `undefined` when each has its own requests. */
export const find = (routes: ReadonlyArray<Named>): string | undefined => {
  const known = new Map<string, Array<Named>>()
  for (const route of routes) {
    const others = known.get(shape(route.path)) ?? []
    const other = others.find((before) => overlaps(before, route))
    if (other !== undefined) {
      const [first, second] = [nameOf(other), nameOf(route)]
      return first === second
        ? `the route ${first} is defined twice; remove one of the two`
        : `the routes ${first} and ${second} match the same requests; remove one of the two`
    }
    known.set(shape(route.path), [...others, route])
  }
  return undefined
}
