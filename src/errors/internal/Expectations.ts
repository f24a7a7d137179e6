// What a schema expected of a value, by path. Never the value itself: it may be a password.
import { Array as List, Option, ParseResult, Predicate, SchemaAST } from "effect"
import * as SecretNames from "../../http/internal/text/SecretNames.ts"
import { clip, line } from "../../http/internal/text/SafeText.ts"

/** A path (`items.0.name`, empty for the whole) and what was expected there. */
type Expectation = readonly [path: string, expected: string]

/** At most this many are reported for one error. */
const most = 50

const longest = 200

/** Whether a failure is a `ParseError`; `false` for a value that throws when it is inspected. */
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

/** Whether a value is an issue of a `ParseError`, which holds the decoded value. */
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
  const annotated = Option.getOrUndefined(SchemaAST.getMissingMessageAnnotation(ast))?.()
  return typeof annotated === "string" ? annotated : `expected ${describe(ast.type)}, but it is missing`
}

type Described = ParseResult.Type | ParseResult.Composite | ParseResult.Refinement | ParseResult.Transformation

// The `message` annotation of the schema. It receives the mask, so that it cannot repeat the value.
const sentence = (issue: Described): string | undefined => {
  const annotation = Option.getOrUndefined(SchemaAST.getMessageAnnotation(issue.ast))
  if (annotation === undefined) return undefined
  const given = annotation(new ParseResult.Type(issue.ast, SecretNames.mask))
  const { message, override } =
    typeof given === "object" && "override" in given ? given : { message: given, override: false }
  const isOuter =
    issue._tag === "Composite" ||
    (issue._tag === "Refinement" && issue.kind === "From") ||
    (issue._tag === "Transformation" && issue.kind !== "Transformation")
  return typeof message === "string" && (override || !isOuter) ? message : undefined
}

// A union is reported as a whole, unless a member matched at the top and failed further down.
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
  const annotated = sentence(issue)
  if (annotated !== undefined) return [{ path, text: annotated }]
  if (issue._tag === "Type") return [{ path, text: `expected ${describe(issue.ast)}` }]
  if (issue._tag !== "Composite") return walk(issue.issue, path)
  if (SchemaAST.isUnion(issue.ast)) return union(issue, path)
  return List.ensure(issue.issues).flatMap((member) => walk(member, path))
}

/** What was expected, in the order of the schema; each path once. */
export const of = (error: ParseResult.ParseError): ReadonlyArray<Expectation> => {
  try {
    const found = new Map<string, string>()
    for (const { path, text } of walk(error.issue, [])) {
      const name = clip(line(path.map(String).join(".")), longest)
      if (!found.has(name)) found.set(name, clip(line(text), longest))
      if (found.size === most) break
    }
    return [...found]
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
