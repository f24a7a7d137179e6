// The texts of the query parameters that a list takes.
import { Either } from "effect"
import { InvalidParameter } from "../../InvalidParameter.ts"
import { decode } from "../query/QueryText.ts"

const reserved = new Set(["page", "limit", "cursor", "before", "sort"])

/** Whether a parameter belongs to every list. */
export const isReserved = (name: string): boolean => reserved.has(name)

/** The text of a parameter; empty when it is absent. */
export const valueOf = (given: Readonly<Record<string, string | undefined>>, name: string): string =>
  Object.hasOwn(given, name) ? (given[name]?.trim() ?? "") : ""

/** The texts of these parameters. One that stands twice is refused: two readers could take different ones. */
export const read = (
  otherParams: string,
  names: ReadonlySet<string>
): Either.Either<Readonly<Record<string, string>>, InvalidParameter> => {
  const found = new Map<string, string>()
  for (const part of otherParams === "" ? [] : otherParams.split("&")) {
    const equals = part.indexOf("=")
    const name = decode(equals < 0 ? part : part.slice(0, equals))
    if (!names.has(name)) continue
    if (found.has(name)) {
      return Either.left(new InvalidParameter({ parameter: name, problem: "repeated", expected: "sent once" }))
    }
    found.set(name, equals < 0 ? "" : decode(part.slice(equals + 1)))
  }
  return Either.right(Object.fromEntries(found))
}
