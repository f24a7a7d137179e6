// Load from another process: wrk where it is installed, autocannon elsewhere. Bounded, and it stops by itself.
import { execFile, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { createRequire } from "node:module"
import { promisify } from "node:util"

const run = promisify(execFile)

export interface Target {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface Effort {
  readonly connections: number
  readonly seconds: number
}

const hasWrk = (() => {
  try {
    execFileSync("wrk", ["--version"], { stdio: "ignore" })
    return true
  } catch (error) {
    // wrk prints its version and ends with 1.
    return error instanceof Error && "status" in error && error.status === 1
  }
})()

/** Which program makes the load. */
export const generator: string = hasWrk ? "wrk" : "autocannon"

const headersOf = ({ headers = {} }: Target) =>
  Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`])

const withWrk = async (target: Target, { connections, seconds }: Effort): Promise<number> => {
  const args = ["-t1", `-c${connections}`, `-d${seconds}s`, ...headersOf(target), target.url]
  const { stdout } = await run("wrk", args)
  if (/Non-2xx|Socket errors: connect [1-9]/.test(stdout))
    throw new Error(`${target.url} did not answer well:\n${stdout}`)
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1])
}

const withAutocannon = async (target: Target, { connections, seconds }: Effort): Promise<number> => {
  const cli = createRequire(import.meta.url).resolve("autocannon")
  const headers = Object.entries(target.headers ?? {}).flatMap(([name, value]) => ["-H", `${name}=${value}`])
  const args = [cli, "-j", "-n", "-c", String(connections), "-d", String(seconds), ...headers, target.url]
  const { stdout } = await run(process.execPath, args)
  const result: unknown = JSON.parse(stdout)
  if (typeof result !== "object" || result === null || !("2xx" in result)) throw new Error("autocannon said nothing")
  return Number(result["2xx"]) / seconds
}

/** Answers a second. */
export const rate = (target: Target, effort: Effort): Promise<number> =>
  hasWrk ? withWrk(target, effort) : withAutocannon(target, effort)

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

/** The median rate of each target; in each round every target has its turn, so that a slow moment meets all of them. */
export const alternate = async <Name extends string>(
  targets: Readonly<Record<Name, Target>>,
  rounds: number,
  effort: Effort
): Promise<Readonly<Record<Name, number>>> => {
  const names = Object.keys(targets).filter((name): name is Name => name in targets)
  const rates = new Map<Name, Array<number>>(names.map((name) => [name, []]))
  for (const name of names) await rate(targets[name], { ...effort, seconds: 1 })
  for (let round = 0; round < rounds; round++) {
    for (const name of names) rates.get(name)?.push(await rate(targets[name], effort))
  }
  return Object.fromEntries(names.map((name) => [name, median(rates.get(name) ?? [])])) as Record<Name, number>
}

export interface Server {
  readonly url: string
  readonly pid: number
  readonly stop: () => Promise<void>
}

/** Starts a program that prints `listening on URL`. */
export const serve = async (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {}
): Promise<Server> => {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "inherit"] })
  const ended = once(child, "close")
  let said = ""
  // What it goes on to say is read and thrown away: a program whose output nobody reads would stop or end.
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      if (said.length < 10_000) said += chunk
      const found = /listening on (\S+)[\s\n]/.exec(said)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once("close", () => reject(new Error(`${args.join(" ")} did not listen: ${said}`)))
  })
  const stop = async () => {
    child.kill("SIGTERM")
    await ended
  }
  return { url, pid: child.pid ?? 0, stop }
}
