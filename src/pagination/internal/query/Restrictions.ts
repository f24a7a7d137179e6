// The conditions of a selection as a tree: filters and patterns are its leaves.
import type * as EntityRow from "../columns/EntityRow.ts"
import type { Compound, Leaf, Restriction } from "./SelectionParts.ts"

/** Whether a condition is made of no others. */
const isLeaf = (restriction: Restriction): restriction is Leaf =>
  restriction._tag === "Filter" || restriction._tag === "Match" || restriction._tag === "Search"

/** How many conditions are inside each other. */
export const depth = (restrictions: ReadonlyArray<Restriction>): number =>
  restrictions.reduce((most, one) => Math.max(most, isLeaf(one) ? 0 : one.depth), 0)

/** Calls `visit` with each leaf and the entity of its column, in the order of their places in a statement. */
export const visit = (
  entity: EntityRow.Any,
  restrictions: ReadonlyArray<Restriction>,
  each: (entity: EntityRow.Any, leaf: Leaf) => void
): void => {
  for (const restriction of restrictions) {
    if (isLeaf(restriction)) each(entity, restriction)
    else for (const branch of branchesOf(restriction)) visit(entityOf(entity, restriction), branch, each)
  }
}

const entityOf = (entity: EntityRow.Any, restriction: Compound): EntityRow.Any =>
  restriction._tag === "Exists" ? restriction.link.target : entity

const branchesOf = (restriction: Compound): ReadonlyArray<ReadonlyArray<Restriction>> =>
  restriction._tag === "AnyOf" ? restriction.branches : [restriction.branch]

/** The entities of related rows that restrictions ask for. */
export const targets = (restrictions: ReadonlyArray<Restriction>): ReadonlyArray<EntityRow.Any> =>
  restrictions.flatMap((one) => {
    if (isLeaf(one)) return []
    const inner = branchesOf(one).flatMap(targets)
    return one._tag === "Exists" ? [one.link.target, ...inner] : inner
  })

/** The number of values that restrictions have. */
export const places = (restrictions: ReadonlyArray<Restriction>): number =>
  restrictions.reduce((sum, one) => {
    if (one._tag === "Match" || one._tag === "Search") return sum + 1
    if (one._tag === "Filter") return sum + one.values.length
    return branchesOf(one).reduce((inner, branch) => inner + places(branch), sum)
  }, 0)

/** The number of conditions, those inside others included. */
export const count = (restrictions: ReadonlyArray<Restriction>): number =>
  restrictions.reduce(
    (sum, one) => sum + 1 + (isLeaf(one) ? 0 : branchesOf(one).reduce((inner, branch) => inner + count(branch), 0)),
    0
  )

/**
 * The conditions that are made of others and the searches, without their values, for the name of a list.
 *
 * => [{"any":[[["stars","greater"]],[["title","like"]]]},{"exists":["comments","id","article_id",[]]}]
 */
export const outline = (restrictions: ReadonlyArray<Restriction>): ReadonlyArray<unknown> =>
  restrictions.filter((one) => one._tag === "Search" || !isLeaf(one)).map(outlineOf)

const outlineOf = (restriction: Restriction): unknown => {
  switch (restriction._tag) {
    case "Filter":
      return [restriction.column, restriction.operator]
    case "Match":
      return [restriction.column, restriction.match]
    case "Search":
      return "search"
    case "AnyOf":
      return { any: restriction.branches.map((branch) => branch.map(outlineOf)) }
    case "Not":
      return { not: restriction.branch.map(outlineOf) }
    case "Exists": {
      const { branch, isNegated, link } = restriction
      const more = link.more === undefined ? [] : [link.more]
      const related = [link.target.table, link.here, link.there, ...more, branch.map(outlineOf)]
      return isNegated ? { notExists: related } : { exists: related }
    }
  }
}
