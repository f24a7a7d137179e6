// A read as the driver runs it. The driver's own query asks the server to describe the rows each time and makes an object
// of a new shape for each of them; this one keeps what a connection has said about a prepared statement. That takes a
// quarter off a read by key.
import type { Connection, Described, Submittable } from "pg"
import { prepareValue } from "pg/lib/utils.js"

type Parser = (text: string) => unknown

interface Column {
  readonly name: string
  readonly parse: Parser
}

/** The columns of a statement, by the connection that described them. */
export type Known = WeakMap<Connection, ReadonlyArray<Column>>

export interface Statement {
  readonly text: string
  /** A statement with a name is parsed and planned once by each connection, and its rows keep their types. */
  readonly name: string | undefined
  readonly known: Known
  readonly parserOf: (oid: number) => Parser
}

type Done = (error: Error | null) => void

export class PostgresQuery implements Submittable {
  readonly name: string | undefined
  readonly text: string
  /** Whether the server had parsed the statement before, and may have an outdated one. */
  isReused = false
  // The driver sets it, to what it was given beside this query.
  callback: Done | undefined
  readonly #statement: Statement
  readonly #values: ReadonlyArray<unknown>
  readonly #rows: Array<ReadonlyArray<string | null>> = []
  #columns: ReadonlyArray<Column> | undefined
  #connection: Connection | undefined

  constructor(statement: Statement, values: ReadonlyArray<unknown>) {
    this.name = statement.name
    this.text = statement.text
    this.#statement = statement
    this.#values = values
  }

  submit(connection: Connection): Error | null {
    const { name, text } = this
    this.#connection = connection
    this.#columns = name === undefined ? undefined : this.#statement.known.get(connection)
    connection.stream.cork()
    try {
      this.isReused = name !== undefined && connection.parsedStatements[name] !== undefined
      if (!this.isReused) connection.parse({ name, text })
      connection.bind({ statement: name, values: this.#values, valueMapper: prepareValue })
      if (this.#columns === undefined) connection.describe({ type: "P", name: "" })
      connection.execute({})
      connection.sync()
    } finally {
      connection.stream.uncork()
    }
    return null
  }

  handleRowDescription({ fields }: Described): void {
    const { known, name, parserOf } = this.#statement
    this.#columns = fields.map(({ dataTypeID, name }) => ({ name, parse: parserOf(dataTypeID) }))
    if (name !== undefined && this.#connection !== undefined) known.set(this.#connection, this.#columns)
  }

  handleDataRow({ fields }: { readonly fields: ReadonlyArray<string | null> }): void {
    this.#rows.push(fields)
  }

  /** The rows, each a list of its values. */
  lists(): ReadonlyArray<ReadonlyArray<unknown>> {
    const columns = this.#columns ?? []
    return this.#rows.map((row) => row.map((text, index) => valueOf(columns[index], text)))
  }

  /** The rows, each an object with a property for each column. */
  objects(): ReadonlyArray<Readonly<Record<string, unknown>>> {
    const columns = this.#columns ?? []
    return this.#rows.map((row) => {
      const object: Record<string, unknown> = {}
      for (const [index, column] of columns.entries()) object[column.name] = valueOf(column, row[index] ?? null)
      return object
    })
  }

  handleReadyForQuery(): void {
    this.callback?.(null)
  }

  handleError(error: Error): void {
    this.callback?.(error)
  }

  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyInResponse(connection: Connection): void {
    connection.sendCopyFail("A read copies nothing in")
  }
  handleCopyData(): void {}
}

const valueOf = (column: Column | undefined, text: string | null): unknown =>
  text === null || column === undefined ? text : column.parse(text)
