// PostgreSQL's notifications, where a connection of this process can wait for them: not behind a pooler.
import type { SqlError } from "@effect/sql"
import { Context, type Stream } from "effect"

export class Notifications extends Context.Tag("effect-framework/database/Notifications")<
  Notifications,
  {
    /** The payloads that are sent to a channel; the stream holds one connection of the pool. */
    readonly listen: (channel: string) => Stream.Stream<string, SqlError.SqlError>
  }
>() {}
