// A new project as `npm create` writes it: its own build and start, a change while it is developed, and its type check.
import { execFileSync, spawn } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { once } from "node:events"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { text } from "node:stream/consumers"
import { setTimeout } from "node:timers/promises"
import { write } from "../../create/Project.ts"
import * as Load from "../Load.ts"
import type { Options } from "../Options.ts"
import { median, take } from "../Rounds.ts"
import type { Row } from "../Row.ts"
import { processorSeconds, resident } from "./Process.ts"

// V8 gives back what a start has needed in several steps, the last of them mostly within two minutes of rest.
const rest = 120_000

const tool = resolve("dist/create/main.js")

// The packages of this checkout and the framework as it is built here: an install would fetch the same.
const link = (project: string): void => {
  const modules = join(project, "node_modules")
  const packages = readdirSync("node_modules").flatMap((name) =>
    name.startsWith("@") ? readdirSync(join("node_modules", name)).map((part) => join(name, part)) : [name]
  )
  for (const name of packages.filter((one) => !one.startsWith("."))) {
    mkdirSync(join(modules, name, ".."), { recursive: true })
    symlinkSync(resolve("node_modules", name), join(modules, name))
  }
  symlinkSync(resolve("."), join(modules, "effect-framework"))
}

const create = (folder: string): string => {
  execFileSync("npm", ["run", "--silent", "build"], { stdio: "inherit" })
  const project = join(folder, "shop")
  const written = write(project, "*")
  if (written._tag === "Refused") throw new Error(written.reason)
  link(project)
  execFileSync(process.execPath, [tool, "build"], { cwd: project, stdio: "inherit" })
  return project
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  return typeof address === "object" && address !== null ? address.port : 0
}

/** Seconds from a saved file to the first response that shows it, with `npm run dev`. */
const restarts = async (project: string, storage: string, rounds: number): Promise<ReadonlyArray<number>> => {
  const port = await freePort()
  const env = { ...process.env, PORT: String(port), STORAGE_DIR: storage, FRAMEWORK_ENVIRONMENT: "development" }
  const running = spawn(process.execPath, [tool, "dev"], { cwd: project, env, stdio: "ignore" })
  const page = join(project, "src", "Home.ts")
  const shows = async (text: string): Promise<void> => {
    for (let tries = 0; tries < 3000; tries++) {
      const body = await fetch(`http://127.0.0.1:${port}/`).then(
        (response) => response.text(),
        () => ""
      )
      if (body.includes(text)) return
      await setTimeout(10)
    }
    throw new Error(`npm run dev never showed ${text}`)
  }
  try {
    const seconds: Array<number> = []
    let shown = "Welcome to"
    await shows(shown)
    for (let round = 0; round <= rounds; round++) {
      const next = `Change ${round} of`
      writeFileSync(page, readFileSync(page, "utf8").replace(`<h1>${shown}`, `<h1>${next}`))
      const saved = performance.now()
      await shows(next)
      seconds.push((performance.now() - saved) / 1000)
      shown = next
    }
    return seconds.slice(1)
  } finally {
    running.kill("SIGTERM")
    await once(running, "exit")
  }
}

// What a program on Effect alone has: the modules of Effect that the project reaches, and a route.
const stock = `import { HttpApi, HttpApiBuilder, HttpApiClient, HttpApiEndpoint, HttpApiGroup, HttpApiMiddleware, HttpApiSecurity,
  HttpClient, HttpLayerRouter, HttpMiddleware, HttpRouter, HttpServer, HttpServerResponse, Multipart, OpenApi } from "@effect/platform"
import { NodeHttpServer, NodeRuntime } from "@effect/platform-node"
import { Migrator, SqlClient, SqlResolver, SqlSchema } from "@effect/sql"
import { SqliteClient } from "@effect/sql-sqlite-node"
import { Config, Context, Effect, Layer, Metric, Redacted, Schedule, Schema, Stream, Tracer } from "effect"
import { createServer } from "node:http"

export const used = { HttpApiClient, HttpApiMiddleware, HttpApiSecurity, HttpClient, HttpMiddleware, HttpRouter, Multipart, OpenApi,
  Migrator, SqlResolver, SqlSchema, Config, Context, Metric, Redacted, Schedule, Stream, Tracer }

class Api extends HttpApi.make("notes").add(
  HttpApiGroup.make("notes").add(HttpApiEndpoint.get("count", "/count").addSuccess(Schema.Number))
) {}

const handlers = HttpApiBuilder.group(Api, "notes", (all) => all.handle("count", () =>
  Effect.orDie(Effect.map(Effect.flatMap(SqlClient.SqlClient, (sql) => sql<{ n: number }>\`SELECT 1 AS n\`), (rows) => rows.length))))

const routes = Layer.merge(
  HttpLayerRouter.addHttpApi(Api).pipe(Layer.provide(handlers)),
  HttpLayerRouter.add("GET", "/", HttpServerResponse.text("Welcome"))
)

const server = HttpLayerRouter.serve(routes).pipe(
  HttpServer.withLogAddress,
  Layer.provide(NodeHttpServer.layer(createServer, { port: 0 })),
  Layer.provide(SqliteClient.layer({ filename: ":memory:" }))
)

NodeRuntime.runMain(Layer.launch(server))
`

const stockOf = (project: string): string => {
  const folder = join(project, "..", "stock")
  mkdirSync(join(folder, "src"), { recursive: true })
  cpSync(join(project, "tsconfig.json"), join(folder, "tsconfig.json"))
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))
  writeFileSync(join(folder, "src", "main.ts"), stock)
  symlinkSync(join(project, "node_modules"), join(folder, "node_modules"))
  return folder
}

// Printed when the compiler ends: its own time of the processor.
const timed = `process.on("exit", () => { const { system, user } = process.cpuUsage(); console.error((system + user) / 1e6) })
require(require("node:path").resolve("node_modules/typescript/lib/tsc.js"))`

/** Seconds of the processor that a type check takes. */
const typeCheck = (folder: string) => async (): Promise<number> => {
  const args = ["--input-type=commonjs", "-e", timed, "--", "--noEmit"]
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] })
  const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)])
  if (out !== "") throw new Error(out)
  return Number(error)
}

export const measure = async ({ quick, rounds }: Options): Promise<ReadonlyArray<Row>> => {
  const folder = mkdtempSync(join(tmpdir(), "bench-project-"))
  const { serve, stop } = Load.servers()
  try {
    const project = create(folder)
    const program = join(project, "dist", "main.js")
    const seconds: Array<number> = []
    const start = async (round: number): Promise<Load.Server> => {
      const env = { PORT: "0", STORAGE_DIR: join(folder, String(round)), FRAMEWORK_ENVIRONMENT: "production" }
      const server = await serve([program], env)
      await fetch(`${server.url}/`).then((response) => response.text())
      seconds.push(processorSeconds(server.pid))
      return server
    }
    // The first start reads the program from the disk.
    await (await start(0)).stop()
    seconds.length = 0
    const idle: Array<Load.Server> = []
    for (let round = 1; round <= rounds("project"); round++) idle.push(await start(round))
    await setTimeout(quick ? 5000 : rest)
    const memory = idle.map(({ pid }) => resident(pid))
    await stop()
    const checks = { ours: typeCheck(project), stock: typeCheck(stockOf(project)) }
    const checked = await take(checks, rounds("project"))
    const changes = await restarts(project, join(folder, "dev"), rounds("project"))
    const row = (subject: string, value: number, unit: string, bar: number): Row => ({
      subject,
      ours: value,
      peer: undefined,
      unit,
      ratio: value,
      bar,
      better: "lower"
    })
    return [
      row("processor time of a new project until its first response", median(seconds), "s", 1.7),
      row("memory of an idle new project", median(memory), "MiB", 85),
      row("npm run dev of a new project: from a saved file to the first response", median(changes), "s", 2),
      {
        subject: "type check of a new project / one on Effect alone, processor time",
        ours: checked.of("ours"),
        peer: checked.of("stock"),
        unit: "s",
        ratio: checked.ratio("ours", "stock"),
        bar: 1.5,
        better: "lower"
      }
    ]
  } finally {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
