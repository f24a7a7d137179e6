// A program that is measured, in a process of its own, which answers questions.
import { fork } from "node:child_process"
import { once } from "node:events"
import { processorSeconds } from "../server/Process.ts"

export interface Child {
  readonly ask: <A>(question: string, about?: number) => Promise<A>
  /** Seconds of the processor that it has used. */
  readonly used: () => number
  readonly stop: () => Promise<void>
}

export const start = async (program: string, env: Readonly<Record<string, string>>): Promise<Child> => {
  const child = fork(program, { env: { ...process.env, ...env } })
  const ended = once(child, "exit").then(() => [{ error: program }])
  const answered = async <A>(): Promise<A> => {
    const waiting = new AbortController()
    const [message] = await Promise.race([once(child, "message", waiting), ended]).finally(() => waiting.abort())
    if (message.error !== undefined) throw new Error(`${program} ended: ${message.error}`)
    return message.answer
  }
  await answered()
  const ask = <A>(question: string, about?: number) => {
    child.send({ ask: question, about })
    return answered<A>()
  }
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.disconnect()
    await ended
  }
  return { ask, used: () => processorSeconds(child.pid ?? 0), stop }
}

/** Several that are stopped together. */
export const children = () => {
  const started: Array<Child> = []
  const tracked: typeof start = async (program, env) => {
    const child = await start(program, env)
    started.push(child)
    return child
  }
  return { start: tracked, stop: () => Promise.all(started.map((child) => child.stop())) }
}
