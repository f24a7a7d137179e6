// The text of server-sent events (`text/event-stream`). No value can begin a field or an event of its own.

/** One event. */
export interface ServerSentEvent {
  readonly data: string
  /** The name under which a browser dispatches it; `message` by default. */
  readonly event?: string
  /** What a client that reconnects sends as `Last-Event-ID`. */
  readonly id?: string
}

const lineBreak = /\r\n|\r|\n/

// A name and an id are one line, and browsers ignore an id with a null character.
const oneLine = (text: string): string => text.replace(/[\r\n\0]/g, "")

/** The lines of an event. */
export const encode = ({ data, event, id }: ServerSentEvent): string => {
  let text = ""
  if (event !== undefined) text += `event: ${oneLine(event)}\n`
  if (id !== undefined) text += `id: ${oneLine(id)}\n`
  for (const line of data.split(lineBreak)) text += `data: ${line}\n`
  return `${text}\n`
}

/** A comment, which no client shows: it keeps proxies from closing a silent connection. */
export const heartbeat = ":\n\n"

/** The first lines of a stream: how many milliseconds a client waits before it reconnects. */
export const opening = (retry: number): string => `retry: ${Math.max(0, Math.floor(retry))}\n\n`
