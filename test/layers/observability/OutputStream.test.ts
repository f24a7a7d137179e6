import { afterEach, describe, expect, it } from "@effect/vitest"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { Writable } from "node:stream"
import * as OutputStream from "../../../layers/observability/internal/OutputStream.ts"

const children: Array<ChildProcess> = []

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL")
})

const notice = (count: number) => `dropped: ${count}`

const line = `${"x".repeat(1023)}\n`

describe("OutputStream.lines", () => {
  it("keeps no more than the limit for a pipe that nobody reads, and says how much it dropped when it is read", async () => {
    // Reads nothing before it gets SIGUSR2, then everything.
    const reader = spawn(process.execPath, [
      "-e",
      `process.on("SIGUSR2", () => process.stdin.pipe(process.stdout)); process.stdout.write("ready\\n"); setInterval(() => {}, 1000)`
    ])
    children.push(reader)
    let read = ""
    reader.stdout.on("data", (chunk) => (read += String(chunk)))
    await once(reader.stdout, "data")
    const write = OutputStream.lines(reader.stdin, notice)
    const count = (2 * OutputStream.maxWaiting) / line.length
    for (let index = 0; index < count; index++) write(line)
    expect(reader.stdin.writableLength).toBeLessThanOrEqual(OutputStream.maxWaiting + line.length)
    reader.kill("SIGUSR2")
    await once(reader.stdin, "drain")
    write("read again\n")
    while (!read.endsWith("read again\n")) await once(reader.stdout, "data")
    const lines = read.replace(/^ready\n/, "").split("\n")
    const said = Number(/^dropped: (\d+)$/.exec(lines.at(-3) ?? "")?.[1])
    const kept = lines.filter((one) => one.startsWith("x")).length
    expect(said).toBeGreaterThan(0)
    expect(kept + said).toBe(count)
  })

  it("counts every line of a text that it drops, once", () => {
    const texts: Array<string> = []
    let isRead = false
    const waiting: Array<() => void> = []
    const stream = new Writable({
      write: (chunk, _encoding, done) => {
        texts.push(String(chunk))
        if (isRead) done()
        else waiting.push(done)
      }
    })
    const write = OutputStream.lines(stream, notice)
    write(line.repeat(OutputStream.maxWaiting / line.length + 1))
    write("a\nb\n")
    write("c\n")
    isRead = true
    for (const done of waiting.splice(0)) done()
    write("d\n")
    write("e\n")
    expect(texts.slice(1).join("")).toBe("dropped: 3\nd\ne\n")
  })
})
