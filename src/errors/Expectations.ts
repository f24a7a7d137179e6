// What a schema expected of a value, by path, and never the value itself: it may be a password.
import { Array as List, Option, ParseResult, Predicate, SchemaAST } from "effect"
import * as Redaction from "./Redaction.ts"
import { clip, line } from "./SafeText.ts"

/** A path (`items.0.name`, empty for the whole) and what was expected there. */
export type Expectation = readonly [path: string, expected: string]

/** At most this many are told of one error. */
export const most = 50

const longest = 200

/** Whether a failure is that of a schema. `false` for anything that throws when it is asked. */
export const isParseError = (failure: unknown): failure is ParseResult.ParseError => {
  try {
    return ParseResult.isParseError(failure) && Predicate.isTagged(failure, "ParseError")
  } catch {
    return false
  }
}

const issues = new Set([
  "Pointer",
  "Unexpected",
  "Missing",
  "Composite",
  "Refinement",
  "Transformation",
  "Type",
  "Forbidden"
])

/** Whether a value is a part of such a failure: it holds what was decoded. */
export const isIssue = (value: object): boolean =>
  "actual" in value && "_tag" in value && typeof value._tag === "string" && issues.has(value._tag)

type Path = ReadonlyArray<PropertyKey>

interface Found {
  readonly path: Path
  readonly text: string
}

const describe = (ast: SchemaAST.AST): string =>
  SchemaAST.isRefinement(ast)
    ? Option.getOrElse(SchemaAST.getDescriptionAnnotation(ast), () => String(ast))
    : String(ast)

const missing = ({ ast }: ParseResult.Missing): string => {
  const said = Option.getOrUndefined(SchemaAST.getMissingMessageAnnotation(ast))?.()
  return typeof said === "string" ? said : `expected ${describe(ast.type)}, but it is missing`
}

type Described = ParseResult.Type | ParseResult.Composite | ParseResult.Refinement | ParseResult.Transformation

// The sentence that the schema's author wrote. It is made from the mask, so that it cannot repeat the value.
const sentence = (issue: Described): string | undefined => {
  const annotation = Option.getOrUndefined(SchemaAST.getMessageAnnotation(issue.ast))
  if (annotation === undefined) return undefined
  const given = annotation(new ParseResult.Type(issue.ast, Redaction.mask))
  const { message, override } =
    typeof given === "object" && "override" in given ? given : { message: given, override: false }
  const isOuter =
    issue._tag === "Composite" ||
    (issue._tag === "Refinement" && issue.kind === "From") ||
    (issue._tag === "Transformation" && issue.kind !== "Transformation")
  return typeof message === "string" && (override || !isOuter) ? message : undefined
}

// A union is told as a whole, unless a member fitted at its top and failed further down.
const union = (issue: ParseResult.Composite, path: Path): ReadonlyArray<Found> => {
  const found = List.ensure(issue.issues).flatMap((member) => walk(member, path))
  const deeper = found.filter((one) => one.path.length > path.length)
  return deeper.length > 0 ? deeper : [{ path, text: `expected ${describe(issue.ast)}` }]
}

const walk = (issue: ParseResult.ParseIssue, path: Path): ReadonlyArray<Found> => {
  switch (issue._tag) {
    case "Pointer":
      return walk(issue.issue, [...path, ...List.ensure(issue.path)])
    case "Missing":
      return [{ path, text: missing(issue) }]
    case "Unexpected":
      return [{ path, text: "expected nothing of this name" }]
    case "Forbidden":
      return [{ path, text: `expected ${describe(issue.ast)}, which cannot be read here` }]
  }
  const said = sentence(issue)
  if (said !== undefined) return [{ path, text: said }]
  if (issue._tag === "Type") return [{ path, text: `expected ${describe(issue.ast)}` }]
  if (issue._tag !== "Composite") return walk(issue.issue, path)
  if (SchemaAST.isUnion(issue.ast)) return union(issue, path)
  return List.ensure(issue.issues).flatMap((member) => walk(member, path))
}

/** What was expected and where, in the order of the schema; each path once. */
export const of = (error: ParseResult.ParseError): ReadonlyArray<Expectation> => {
  try {
    const told = new Map<string, string>()
    for (const { path, text } of walk(error.issue, [])) {
      const name = clip(line(path.map(String).join(".")), longest)
      if (!told.has(name)) told.set(name, clip(line(text), longest))
      if (told.size === most) break
    }
    return [...told]
  } catch {
    // A recursive schema can nest deeper than the stack, and an annotation can throw.
    return [["", "expected something else"]]
  }
}

/** The same as one text, in place of the error's own message. */
export const message = (error: ParseResult.ParseError): string =>
  of(error)
    .map(([path, expected]) => (path === "" ? expected : `${path}: ${expected}`))
    .join("; ")
