// Load from another process: wrk where it is installed, autocannon elsewhere. Bounded, and it stops by itself.
import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, openSync, readFileSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { promisify } from "node:util"
import * as Rounds from "./Rounds.ts"

const run = promisify(execFile)

export interface Target {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** A file of requests that are asked in turn, from `InTurn.file`; the paths are theirs. */
  readonly requests?: string
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

const inTurn = (extension: "lua" | "mjs") => join(import.meta.dirname, "load", `InTurn.${extension}`)

const withWrk = async (target: Target, { connections, seconds }: Effort): Promise<number> => {
  const script = target.requests === undefined ? [] : ["-s", inTurn("lua")]
  const file = target.requests === undefined ? [] : ["--", target.requests]
  const args = ["-t1", `-c${connections}`, `-d${seconds}s`, ...headersOf(target), ...script, target.url, ...file]
  const { stdout } = await run("wrk", args)
  if (/Non-2xx|Socket errors: connect [1-9]/.test(stdout))
    throw new Error(`${target.url} did not respond with 2xx alone:\n${stdout}`)
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1])
}

const withAutocannon = async (target: Target, { connections, seconds }: Effort): Promise<number> => {
  if (target.requests !== undefined) {
    const args = [inTurn("mjs"), target.url, target.requests, String(connections), String(seconds)]
    return Number((await run(process.execPath, args)).stdout)
  }
  const cli = createRequire(import.meta.url).resolve("autocannon")
  const headers = Object.entries(target.headers ?? {}).flatMap(([name, value]) => ["-H", `${name}=${value}`])
  const args = [cli, "-j", "-n", "-c", String(connections), "-d", String(seconds), ...headers, target.url]
  const { stdout } = await run(process.execPath, args)
  const result: unknown = JSON.parse(stdout)
  if (typeof result !== "object" || result === null || !("2xx" in result))
    throw new Error("autocannon printed no result")
  return Number(result["2xx"]) / seconds
}

/** Responses per second. */
export const rate = (target: Target, effort: Effort): Promise<number> =>
  hasWrk ? withWrk(target, effort) : withAutocannon(target, effort)

// What differs between two responses of one server.
const changing = new Set(["date", "x-request-id", "connection", "keep-alive"])

const shown = async ({ headers = {}, url }: Target): Promise<string> => {
  const response = await fetch(url, { headers })
  const lines = [...response.headers]
    .filter(([name]) => !changing.has(name))
    .map(([name, value]) => `${name}: ${value}`)
  return [response.status, ...lines.sort(), "", await response.text()].join("\n")
}

/** Fails unless both respond with the same status, headers and bytes: a peer that does less is no peer. */
export const same = async (ours: Target, peer: Target): Promise<void> => {
  const [mine, theirs] = [await shown(ours), await shown(peer)]
  if (mine !== theirs) throw new Error(`the peer responds with something else.\n\n${mine}\n\n${theirs}`)
}

// Until then the compiler has not finished with what a request runs.
const warmUp = 3

/** The rates of these targets, in turns; each is warmed up first. */
export const alternate = async <Name extends string>(
  targets: Readonly<Record<Name, Target>>,
  rounds: number,
  effort: Effort
): Promise<Rounds.Rounds<Name>> => {
  const takes = Object.fromEntries(
    Object.entries<Target>(targets).map(([name, target]) => [name, () => rate(target, effort)])
  ) as Record<Name, Rounds.Take>
  for (const target of Object.values<Target>(targets)) await rate(target, { ...effort, seconds: warmUp })
  return Rounds.take(takes, rounds)
}

export interface Server {
  readonly url: string
  readonly pid: number
  readonly stop: () => Promise<void>
}

/** The address that a program prints once it listens. */
const announced = async (file: string, child: ChildProcess): Promise<string> => {
  while (child.exitCode === null) {
    const found = /listening on (\S+)\s/.exec(readFileSync(file, "utf8"))?.[1]
    if (found !== undefined) return found
    await setTimeout(5)
  }
  throw new Error(`${child.spawnargs.join(" ")} did not listen: ${readFileSync(file, "utf8")}`)
}

/** Starts a program that prints `listening on URL`. What it prints goes to a file, as a log does: a pipe would need a reader. */
export const serve = async (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {}
): Promise<Server> => {
  const folder = mkdtempSync(join(tmpdir(), "bench-output-"))
  const file = join(folder, "stdout")
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", openSync(file, "w"), "inherit"]
  })
  const ended = once(child, "close")
  const url = await announced(file, child)
  const stop = async () => {
    child.kill("SIGTERM")
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  return { url, pid: child.pid ?? 0, stop }
}

/** Several servers that are stopped together. */
export const servers = () => {
  const started: Array<Server> = []
  const tracked: typeof serve = async (args, env) => {
    const server = await serve(args, env)
    started.push(server)
    return server
  }
  return { serve: tracked, stop: () => Promise.all(started.map((server) => server.stop())) }
}
