// The `export` command: writes all rows of a collection, one batch in memory at a time.
import { Args, Command, Options } from "@effect/cli"
import type { SqlClient } from "@effect/sql"
import { Chunk, Console, Effect, Option, Ref, Schema, SchemaAST, Stream } from "effect"
import * as Migrations from "../../layers/database/Migrations.ts"
import * as Tables from "../../layers/database/Tables.ts"
import type { EntityMismatch } from "../../src/pagination/Entity.ts"
import * as ListFormat from "../../src/pagination/internal/ListFormat.ts"
import * as ExportOutput from "../ExportOutput.ts"
import type { ExportSource, Program } from "../Program.ts"
import * as Progress from "./Progress.ts"
import { CommandFailed, type RunOnDatabase } from "./Work.ts"

type Format = "ndjson" | "csv"

interface Encoding {
  readonly head: string
  readonly row: (item: unknown) => string
}

/** How the rows of a collection are written: their JSON, one a line, or the columns of it. */
export const encoding = (
  schema: Schema.Schema.AnyNoContext,
  format: Format,
  options: { readonly escapeFormulas: boolean }
): Encoding => {
  const encodeItem = Schema.encodeUnknownSync(schema)
  const encode = (item: unknown) => ListFormat.rowOf(item) ?? encodeItem(item)
  if (format === "ndjson") return { head: "", row: (item) => `${JSON.stringify(encode(item), ListFormat.replacer)}\n` }
  const names = SchemaAST.getPropertySignatures(Schema.encodedSchema(schema).ast).map(({ name }) => String(name))
  return {
    head: ListFormat.csvRecord(names, options),
    row: (item) => {
      const row = encode(item)
      return ListFormat.csvRecord(
        names.map((name) => row[name]),
        options
      )
    }
  }
}

interface Given {
  readonly name: string
  readonly format: Format
  readonly escapeFormulas: boolean
  readonly output: Option.Option<string>
}

const write = (
  collection: Effect.Effect<ExportSource, EntityMismatch, SqlClient.SqlClient>,
  { escapeFormulas, format, name, output }: Given
) =>
  Effect.gen(function* () {
    const { schema, stream } = yield* collection
    const { head, row } = encoding(schema, format, { escapeFormulas })
    const rows = yield* Ref.make(0)
    const copy = (write: ExportOutput.Write) =>
      Effect.zipRight(
        head === "" ? Effect.void : write(head),
        Stream.runForEachChunk(Stream.orDie(stream()), (items) =>
          items.length === 0
            ? Effect.void
            : Effect.zipRight(
                write(Chunk.join(Chunk.map(items, row), "")),
                Ref.update(rows, (count) => count + items.length)
              )
        )
      )
    const work = Option.match(output, {
      onNone: () => Effect.flatMap(ExportOutput.stream(process.stdout), copy),
      onSome: (path) => ExportOutput.file(path, copy)
    })
    return yield* Progress.during(
      work,
      Effect.map(rows, (count) => `${name}: ${count} rows exported`)
    )
  }).pipe(
    Effect.as(0),
    Effect.catchTags({
      ReaderGone: () => Effect.succeed(0),
      OutputFailed: ({ reason }) => Effect.as(Console.error(`not exported: ${reason}`), 1)
    })
  )

const refuse = (reason: string): Effect.Effect<never, CommandFailed> =>
  Effect.zipRight(Console.error(reason), new CommandFailed({ status: 2 }))

const parameters = {
  name: Args.text({ name: "collection" }),
  format: Options.choice("format", ["ndjson", "csv"]).pipe(
    Options.withDefault("ndjson" as const),
    Options.withDescription("JSON, one row a line, or comma-separated values; ndjson by default")
  ),
  escapeFormulas: Options.boolean("escape-formulas").pipe(
    Options.withDescription("csv: put an apostrophe before texts that a spreadsheet would run as a formula")
  ),
  output: Options.text("output").pipe(
    Options.withPseudoName("file"),
    Options.withDescription("write a file, which appears when it is complete, in place of standard output"),
    Options.optional
  )
}

/** `export <collection> [--format ndjson|csv] [--escape-formulas] [--output file]`. */
export const command = <E, E3>(run: RunOnDatabase<E3>, app: Effect.Effect<Program<E>>) =>
  Command.make("export", parameters, (given) =>
    Effect.flatMap(app, ({ collections = {}, migrations = {}, tables = Tables.defaults }) => {
      const collection = Object.hasOwn(collections, given.name) ? collections[given.name] : undefined
      if (collection === undefined) {
        const names = Object.keys(collections).sort().join(", ")
        const known = names === "" ? "This program has no collections." : `The collections are: ${names}.`
        return refuse(`There is no collection ${JSON.stringify(given.name)}. ${known}`)
      }
      if (given.escapeFormulas && given.format !== "csv") return refuse("--escape-formulas goes with --format csv.")
      return run(({ allowNewerSchema: allowNewer }) =>
        Effect.zipRight(Migrations.run(migrations, { allowNewer, tables }), write(collection, given))
      )
    })
  ).pipe(Command.withDescription("write all rows of a collection as NDJSON or CSV, in constant memory"))
