// Lists by better-sqlite3 and pg alone: each statement is prepared once, a cursor is read, ten rows and one more are found,
// and the next cursor is made.
import Database from "better-sqlite3"
import { Pool } from "pg"

const entries = "id, at, day, hour, due, word, owner_id"

const positionOf = (cursor, columns) => {
  const position = JSON.parse(Buffer.from(cursor, "base64url").toString())
  return Object.fromEntries(columns.map((column, index) => [column, position[index]]))
}

const pageOf = (rows, columns) => {
  const items = rows.slice(0, 10)
  const last = rows.length > 10 ? items.at(-1) : undefined
  return {
    items,
    next: last && Buffer.from(JSON.stringify(columns.map((column) => last[column]))).toString("base64url")
  }
}

const withNotes = ({ items, next }, notes) => {
  const byEntry = new Map(items.map((item) => [item.id, []]))
  for (const note of notes) byEntry.get(note.entry_id)?.push(note)
  for (const item of items) item.notes = byEntry.get(item.id)
  return { items, next }
}

const sqlite = (address) => {
  const database = new Database(address, { readonly: true })
  const rows = database.prepare(`SELECT ${entries} FROM entries WHERE id > ? ORDER BY id LIMIT 11`)
  const places = Array.from({ length: 10 }, () => "?").join()
  const owners = database.prepare(`SELECT id, name FROM owners WHERE id IN (${places})`)
  const notes = database.prepare(`SELECT id, entry_id, text FROM notes WHERE entry_id IN (${places}) ORDER BY id`)
  const ten = (items, name) => Array.from({ length: 10 }, (_, index) => items[index]?.[name] ?? null)
  return {
    page: ({ text, values }, columns) => {
      const statement = database.prepare(text)
      return async (cursor) => {
        const position = positionOf(cursor, columns)
        return pageOf(statement.all(...values.map((name) => position[name])), columns)
      }
    },
    related: async (cursor) => {
      const page = pageOf(rows.all(positionOf(cursor, ["id"]).id), ["id"])
      const byId = new Map(owners.all(...ten(page.items, "owner_id")).map((owner) => [owner.id, owner]))
      for (const item of page.items) item.owner = byId.get(item.owner_id) ?? null
      return withNotes(page, notes.all(...ten(page.items, "id")))
    },
    close: async () => database.close()
  }
}

// What the framework promises: a wait for a connection, a statement and a silent server have an end.
const bounds = { connectionTimeoutMillis: 5000, statement_timeout: 30_000, query_timeout: 33_000 }

const postgres = async (address) => {
  const pool = new Pool({ connectionString: address, max: 10, idleTimeoutMillis: 30_000, keepAlive: true, ...bounds })
  let prepared = 0
  const prepare = (text) => {
    const name = `statement_${++prepared}`
    return async (values) => (await pool.query({ name, text, values })).rows
  }
  const rows = prepare(`SELECT ${entries.replace(/\w+/g, "e.$&")}, o.id AS o_id, o.name AS o_name
    FROM (SELECT ${entries} FROM entries WHERE id > $1 ORDER BY id LIMIT 11) AS e
    LEFT JOIN owners o ON o.id = e.owner_id ORDER BY e.id`)
  const notes = prepare("SELECT id, entry_id, text FROM notes WHERE entry_id = ANY ($1) ORDER BY id")
  return {
    page: ({ text, values }, columns) => {
      const statement = prepare(text)
      return async (cursor) => {
        const position = positionOf(cursor, columns)
        return pageOf(await statement(values.map((name) => position[name])), columns)
      }
    },
    related: async (cursor) => {
      const found = await rows([positionOf(cursor, ["id"]).id])
      const all = found.map(({ o_id, o_name, ...item }) => {
        item.owner = o_id === null ? null : { id: o_id, name: o_name }
        return item
      })
      const page = pageOf(all, ["id"])
      return withNotes(page, await notes([page.items.map(({ id }) => id)]))
    },
    close: () => pool.end()
  }
}

export const open = async ({ address, name }) => (name === "SQLite" ? sqlite(address) : postgres(address))
