// The storeys and their arrows, read off the imports.
import { describe, expect, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { basename, dirname, join, normalize, relative } from "node:path"
import { fileURLToPath } from "node:url"
import ts from "typescript"

const root = join(dirname(fileURLToPath(import.meta.url)), "..")

// From the bottom: each imports only what stands before it, inside a storey and across storeys.
const order = [
  "config",
  "http",
  "errors",
  "observability",
  "database",
  "session",
  "jobs",
  "mail",
  "pagination",
  "auth",
  "texts",
  "devtools",
  "server"
]
const subsystems = new Set(order)
const storeys = ["src", "layers", "routes", "demo", "testing", "app", "create"] as const
type Storey = (typeof storeys)[number]

interface Module {
  readonly path: string
  readonly imports: ReadonlyArray<string>
}

const filesBelow = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))

const specifiers = (path: string): ReadonlyArray<string> => {
  const text = readFileSync(join(root, path), "utf8")
  const { statements } = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022)
  const stated = statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return []
    const { moduleSpecifier } = statement
    return moduleSpecifier !== undefined && ts.isStringLiteral(moduleSpecifier) ? [moduleSpecifier.text] : []
  })
  return [...stated, ...Array.from(text.matchAll(/\bimport\("([^"]+)"\)/g), ([, name = ""]) => name)]
}

const read = (path: string): Module => ({
  path,
  imports: specifiers(path).map((name) => (name.startsWith(".") ? normalize(join(dirname(path), name)) : name))
})

const modules = storeys.flatMap(filesBelow).map(read)
const isOurs = (name: string) => storeys.some((storey) => name.startsWith(`${storey}/`))
const storeyOf = (path: string) => path.split("/", 1)[0]

const packages: Record<Storey, (name: string) => boolean> = {
  src: (name) => name === "effect" || name.startsWith("effect/"),
  layers: () => true,
  routes: (name) => name === "effect" || name.startsWith("effect/") || name === "@effect/platform",
  demo: () => true,
  testing: (name) => !name.startsWith("vitest") && name !== "@effect/vitest",
  app: () => true,
  create: (name) => name.startsWith("node:")
}

const arrows: Record<Storey, ReadonlyArray<string>> = {
  src: ["src"],
  layers: ["layers", "src"],
  routes: ["routes", "src"],
  demo: ["demo", "app", "create", "layers", "routes", "src"],
  testing: ["testing", "layers", "routes", "src"],
  app: ["app", "layers", "routes", "src"],
  create: ["create", "app"]
}

/** The wrong arrows of one module. */
const wrong = ({ imports, path }: Module): ReadonlyArray<string> => {
  const storey = storeys.find((candidate) => candidate === storeyOf(path))
  if (storey === undefined) return [`${path} is in no storey`]
  return imports
    .filter((name) => !(isOurs(name) ? arrows[storey].includes(storeyOf(name) ?? "") : packages[storey](name)))
    .map((name) => `${path} -> ${name}`)
}

const subsystemOf = (path: string): string | undefined => {
  const [storey = "", folder = "", ...rest] = path.split("/")
  return ["src", "layers", "routes"].includes(storey) && rest.length > 0 ? folder : undefined
}

/** The imports of a module that point up the order of subsystems. */
const upward = ({ imports, path }: Module): ReadonlyArray<string> => {
  const from = subsystemOf(path)
  if (from === undefined) return []
  return imports
    .filter((name) => order.indexOf(subsystemOf(name) ?? from) > order.indexOf(from))
    .map((name) => `${path} -> ${name}`)
}

/** The rows of the table in `docs/contributing.md`: a subsystem, and which others its files import. */
const arrowsOf = (subsystem: string): string => {
  const own = modules.filter(({ path }) => subsystemOf(path) === subsystem)
  const below = new Set(own.flatMap(({ imports }) => imports.map(subsystemOf)))
  const others = order.filter((name) => name !== subsystem && below.has(name)).map((name) => `\`${name}\``)
  return `| \`${subsystem}\` | ${others.join(", ") || "none"} |`
}

/** The modules that an entry point exports. */
const exported = new Set(
  modules.filter(({ path }) => /^(?:src|layers|routes)\/\w+\/index\.ts$/.test(path)).flatMap(({ imports }) => imports)
)

const isInternal = (path: string): boolean => /\/(?:internal|migrations)\/|\/index\.ts$|\.d\.ts$/.test(path)

// A feature of accounts has a folder of its own, which nothing outside of the framework imports.
const isFeature = (path: string): boolean => /^routes\/auth\/\w+\/\w+\.ts$/.test(path)

const cycles = (graph: ReadonlyMap<string, ReadonlyArray<string>>): ReadonlyArray<string> => {
  const found: Array<string> = []
  const done = new Set<string>()
  const visit = (node: string, trail: ReadonlyArray<string>): void => {
    const at = trail.indexOf(node)
    if (at !== -1) found.push([...trail.slice(at), node].join(" -> "))
    if (at !== -1 || done.has(node)) return
    for (const next of graph.get(node) ?? []) visit(next, [...trail, node])
    done.add(node)
  }
  for (const node of graph.keys()) visit(node, [])
  return found
}

const expressions = (path: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.RegularExpressionLiteral) found.push(node.getText())
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, readFileSync(join(root, path), "utf8"), ts.ScriptTarget.ES2022, true))
  return found
}

/** Whether an unbounded repetition stands inside another one: `(a+)+` takes exponential time on some texts. */
const isNested = (text: string): boolean => {
  const open = [false]
  let closed = false
  for (const [part] of text.matchAll(/\\[\s\S]|\[(?:[^\]\\]|\\.)*\]|\(|\)|[+*]|\{\d+,\}|[\s\S]/g)) {
    const repeats = /^(?:[+*]|\{\d+,\})$/.test(part)
    if (repeats && closed) return true
    closed = false
    if (part === "(") open.push(false)
    else if (part === ")") {
      closed = open.pop() ?? false
      if (closed) open[open.length - 1] = true
    } else if (repeats) open[open.length - 1] = true
  }
  return false
}

const isPlaced = (path: string): boolean => {
  const [storey = "", folder = "", ...rest] = path.split("/")
  if (["demo", "testing", "app", "create"].includes(storey)) return true
  if (rest.length === 0) return folder === "index.ts"
  return subsystems.has(folder)
}

// Entry points have nothing of their own; migrations are applied one after the other by the test of `Migrations`.
const isTestable = (path: string): boolean =>
  /^(?:src|layers)\//.test(path) && !/(?:\/index|\.d)\.ts$|\/migrations\//.test(path)

/** The files of `src` and `layers` of a subsystem; `untested` are those without a test of the same path. */
const testable = (subsystem: string) => {
  const files = modules.map(({ path }) => path).filter((path) => isTestable(path) && path.split("/")[1] === subsystem)
  const tests = new Set(filesBelow("test"))
  const testOf = (path: string) => `test/${path.split("/", 1)[0]}/${subsystem}/${basename(path, ".ts")}.test.ts`
  return { files, untested: files.filter((path) => !tests.has(testOf(path))) }
}

// The pages of development are tested through their routes.
const tested = order.filter((name) => name !== "devtools")

describe("the architecture", () => {
  it("is read from real files", () => {
    expect(modules.length).toBeGreaterThan(40)
    expect(modules.some(({ imports }) => imports.some(isOurs))).toBe(true)
  })

  it("has no file outside a storey and a subsystem", () => {
    expect(modules.map(({ path }) => path).filter((path) => !isPlaced(path))).toEqual([])
  })

  it("has only arrows that point the allowed way", () => {
    expect(modules.flatMap(wrong)).toEqual([])
  })

  it("has only arrows that point down the order of subsystems", () => {
    expect(modules.flatMap(upward)).toEqual([])
  })

  it("is drawn in docs/contributing.md as it is", () => {
    const drawn = readFileSync(join(root, "docs/contributing.md"), "utf8").match(
      /^\| `\w+` \| (?:none|`\w+`(?:, `\w+`)*) \|$/gm
    )
    expect(drawn).toEqual(order.map(arrowsOf))
  })

  it("has what is public in the subsystem's folder, and everything else in internal/ or with its feature", () => {
    const inside = modules.map(({ path }) => path).filter((path) => subsystemOf(path) !== undefined)
    expect(inside.filter((path) => exported.has(path) && (isInternal(path) || isFeature(path)))).toEqual([])
    expect(inside.filter((path) => !exported.has(path) && !isInternal(path) && !isFeature(path))).toEqual([])
  })

  it("has at most 25 files in a folder", () => {
    const folders = new Map<string, number>()
    for (const { path } of modules) folders.set(dirname(path), (folders.get(dirname(path)) ?? 0) + 1)
    expect(Array.from(folders).filter(([, count]) => count > 25)).toEqual([])
  })

  it("has no cycle between files", () => {
    expect(cycles(new Map(modules.map(({ imports, path }) => [path, imports.filter(isOurs)])))).toEqual([])
  })

  it.each(tested)("has a test of the same path for at least 60 % of the files of %s", (subsystem) => {
    const { files, untested } = testable(subsystem)
    expect(files.length).toBeGreaterThan(2)
    // The list shows what is missing when there is too much of it.
    expect(untested.length / files.length <= 0.4 ? [] : untested).toEqual([])
  })

  it("repeats nothing in a regular expression that repeats already", () => {
    const found = modules
      .filter(({ path }) => /^(?:src|layers|routes)\//.test(path))
      .flatMap(({ path }) => expressions(path).map((text) => `${path} ${text}`))
    expect(found.length).toBeGreaterThan(100)
    // Each turn begins with a character that no other turn can begin with, so that there is one way to read a text.
    expect(found.filter(isNested)).toEqual([expect.stringMatching(/^src\/errors\/internal\/debug\/Highlight\.ts /)])
  })

  it.each([
    ["(a+)+", true],
    ["(?:a*b)*", true],
    ["((a{2,})b)+", true],
    ["(a+)?b+", false],
    ["[(a+)]+", false],
    ["\\(a+\\)+", false],
    ["(?:a{1,9})+", false]
  ])("tells that %s is nested: %s", (text, nested) => {
    expect(isNested(text)).toBe(nested)
  })

  it("touches fibers, their references and spans in six files at most, and the map of a context in one", () => {
    const text = (path: string) => readFileSync(join(root, path), "utf8")
    const touching = (pattern: RegExp) =>
      modules
        .map(({ path }) => path)
        .filter((path) => /^(?:src|layers|routes)\//.test(path) && pattern.test(text(path)))
    const fibers =
      /\bFiberRefs?\b|withFiberRuntime|\bRuntime\.(?:make|run|update)|\bRuntimeFlags\b|ParentSpan\b|currentSpan\b/
    const found = touching(fibers)
    const maps = touching(/\bunsafeMap\b/)
    const named = text("docs/contributing.md")
    expect([...found, ...maps].filter((path) => !named.includes(`| \`${basename(path)}\` |`))).toEqual([])
    expect(found.length).toBeLessThanOrEqual(6)
    expect(maps).toHaveLength(1)
  })

  it("lets nothing import an entry point, so that internal modules stay reachable one by one", () => {
    const isEntry = (name: string) => isOurs(name) && name.endsWith("/index.ts")
    expect(modules.flatMap(({ imports, path }) => imports.filter(isEntry).map((name) => `${path} -> ${name}`))).toEqual(
      []
    )
  })

  it.each([
    ["src reaching for a driver", "src/auth/X.ts", "better-sqlite3"],
    ["src reaching into layers", "src/auth/X.ts", "layers/auth/SqlTokens.ts"],
    ["routes reaching into layers", "routes/auth/X.ts", "layers/auth/SqlTokens.ts"],
    ["routes reaching for node", "routes/auth/X.ts", "node:fs"],
    ["layers reaching into routes", "layers/auth/X.ts", "routes/auth/signin/SignInPage.ts"],
    ["layers reaching into the app", "layers/auth/X.ts", "app/App.ts"],
    ["the app reaching into the demo", "app/X.ts", "demo/App.ts"],
    ["the creation of a project reaching for a package", "create/X.ts", "effect"],
    ["layers reaching into the demo", "layers/auth/X.ts", "demo/App.ts"],
    ["a file in no storey", "helpers/X.ts", "effect"]
  ])("would notice %s", (_, path, name) => {
    expect(wrong({ path, imports: [name] })).toHaveLength(1)
  })

  it("would notice an arrow up the order of subsystems", () => {
    const found = upward({ path: "src/http/X.ts", imports: ["src/auth/Users.ts", "src/config/Environment.ts"] })
    expect(found).toEqual(["src/http/X.ts -> src/auth/Users.ts"])
    expect(upward({ path: "layers/mail/X.ts", imports: ["src/auth/Users.ts", "effect"] })).toHaveLength(1)
  })

  it("would notice a cycle", () => {
    expect(
      cycles(
        new Map([
          ["a", ["b"]],
          ["b", ["c"]],
          ["c", ["a"]]
        ])
      )
    ).toEqual(["a -> b -> c -> a"])
  })
})
