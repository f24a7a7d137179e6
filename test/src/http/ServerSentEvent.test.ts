import { expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Event from "../../../src/http/internal/ServerSentEvent.ts"

interface Parsed {
  readonly event: string
  readonly id: string
  readonly data: string
}

// The algorithm of the HTML standard, 9.2.6.
const parse = (text: string): ReadonlyArray<Parsed> => {
  const events: Array<Parsed> = []
  let [event, id, data] = ["", "", ""]
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (line === "") {
      if (data !== "") events.push({ event, id, data: data.endsWith("\n") ? data.slice(0, -1) : data })
      event = ""
      data = ""
      continue
    }
    const at = line.indexOf(":")
    const name = at === -1 ? line : line.slice(0, at)
    const value = at === -1 ? "" : line.slice(at + 1).replace(/^ /, "")
    if (name === "data") data += `${value}\n`
    if (name === "event") event = value
    if (name === "id" && !value.includes("\0")) id = value
  }
  return events
}

const text = FastCheck.string({
  unit: FastCheck.oneof(
    FastCheck.string({ minLength: 1, maxLength: 1 }),
    FastCheck.constantFrom("\n", "\r", "\0", ":", " ", "data: ", "\r\n", "id: x")
  )
})

it("An event is one event with its own fields, whatever its values contain", () => {
  FastCheck.assert(
    FastCheck.property(text, text, text, (data, event, id) => {
      const one = (value: string) => value.replace(/[\r\n\0]/g, "")
      expect(parse(Event.opening(3000) + Event.encode({ data, event, id }) + Event.heartbeat)).toEqual([
        { event: one(event), id: one(id), data: data.replace(/\r\n|\r/g, "\n") }
      ])
    })
  )
})

it("A stream begins with the time to reconnect", () => {
  expect([Event.opening(2500.7), Event.opening(-1)]).toEqual(["retry: 2500\n\n", "retry: 0\n\n"])
})
