// The files that a form accepts, and their limits.
import { Duration, type Option, Schema } from "effect"
import * as ByteSize from "../../../src/http/internal/text/ByteSize.ts"
import { defaultLimit } from "../../../src/http/internal/RouteOptions.ts"
import { maxFields } from "../../../src/http/internal/Fields.ts"
import type { TemporaryFile } from "../../../src/session/internal/Uploads.ts"
import * as FormSchema from "../../http/internal/FormSchema.ts"

/** A file that was received. It is deleted with the request, unless `persist` keeps it. */
export interface UploadedFile {
  /** The name that the client gave it, without its path; for people only, and possibly empty. */
  readonly name: string
  /** One of the accepted media types; where its first bytes tell the type, it is that one. */
  readonly type: string
  readonly size: number
  /** Where it is until the request ends. */
  readonly path: string
  /** Moves it to this path, replaces what is there, and creates the folder. */
  readonly persist: TemporaryFile["persist"]
}

/** What a form accepts in one file field. */
interface FileRule {
  /** The largest size of one file. */
  readonly maxSize: ByteSize.ByteSize
  /** The accepted media types; any when absent. */
  readonly types?: ReadonlyArray<string>
  /** How many files; without it one, which is then no array. */
  readonly maxCount?: number
  /** Whether the form may be sent without it. */
  readonly optional?: boolean
}

/** The file rules of a form by field name. */
export type FileRules = Readonly<Record<string, FileRule>>

/** The fields, files and limits of a form. */
export interface Options<A, I, Rules extends FileRules> {
  /** The other fields, decoded as `FormState.read` does. */
  readonly fields?: Schema.Schema<A, I>
  readonly files: Rules
  /** The longest body; by default what all files may have, and 1 MiB for the rest. */
  readonly maxTotal?: ByteSize.ByteSize
  /** How many parts the body may have; by default 256 and one for each file. */
  readonly maxParts?: number
  /** How long the body may take to arrive; by default as long as any other request. */
  readonly timeout?: Duration.DurationInput
}

/** A received field: one file, an `Option` of one, or an array. */
export type Received<Rule extends FileRule> = Rule extends { readonly maxCount: number }
  ? ReadonlyArray<UploadedFile>
  : Rule extends { readonly optional: true }
    ? Option.Option<UploadedFile>
    : UploadedFile

/** What a field of files takes. */
export interface Rule {
  readonly maxSize: number
  readonly types: ReadonlyArray<string> | undefined
  readonly maxCount: number
  readonly isList: boolean
  readonly isOptional: boolean
}

/** A form with files. */
export interface UploadForm<A, Rules extends FileRules> {
  readonly schema: FormSchema.FormSchema<A>
  readonly rules: ReadonlyMap<string, Rule>
  readonly limit: number
  /** The limit that the program stated. */
  readonly statedLimit: number | undefined
  readonly maxParts: number
  readonly timeout: number | undefined
  /** Only a type: nothing is stored here. */
  readonly _rules?: Rules
}

const ruleOf = ({ maxCount, maxSize, optional = false, types }: FileRule): Rule => ({
  maxSize: ByteSize.toBytes(maxSize),
  types,
  maxCount: maxCount ?? 1,
  isList: maxCount !== undefined,
  isOptional: optional
})

/** The form of these options. */
export const make = <A, I, const Rules extends FileRules>({
  fields,
  files,
  maxParts,
  maxTotal,
  timeout
}: Options<A, I, Rules>): UploadForm<A, Rules> => {
  const rules = new Map(Object.entries(files).map(([name, rule]) => [name, ruleOf(rule)] as const))
  const stated = maxTotal === undefined ? undefined : ByteSize.toBytes(maxTotal)
  const all = [...rules.values()]
  const largest = all.reduce((sum, { maxCount, maxSize }) => sum + maxCount * maxSize, defaultLimit)
  return {
    // A boundary of the type system: without fields `A` is the empty object.
    schema: FormSchema.make<A, I>(fields ?? (Schema.Struct({}) as unknown as Schema.Schema<A, I>)),
    rules,
    limit: stated ?? largest,
    statedLimit: stated,
    maxParts: maxParts ?? all.reduce((sum, { maxCount }) => sum + maxCount, maxFields),
    timeout: timeout === undefined ? undefined : Duration.toMillis(timeout)
  }
}
