// The page of each subsystem covers it: every typed error with what to do about it, and every option.
import { describe, expect, it } from "@effect/vitest"
import { readdirSync } from "node:fs"
import { basename, join } from "node:path"
import ts from "typescript"
import { entryPoints } from "../../docs/tools/Exports.ts"
import { root } from "../support/Demo.ts"
import { code, read, rows } from "./Pages.ts"

const homes: Readonly<Record<string, ReadonlyArray<string>>> = {
  config: ["docs/deployment.md"],
  jobs: ["docs/jobs.md"],
  mail: ["docs/mail.md", "docs/observability.md"],
  observability: ["docs/observability.md"],
  errors: ["docs/errors.md", "docs/auth.md"],
  pagination: ["docs/pagination.md"],
  database: ["docs/deployment.md", "docs/observability.md"],
  server: ["docs/deployment.md", "docs/api-guide.md"]
}

const storeys = ["src", "layers", "routes", "testing"]

interface Module {
  readonly path: string
  readonly name: string
  /** The pages that may speak of it. */
  readonly pages: ReadonlyArray<string>
  readonly statements: ReadonlyArray<ts.Statement>
}

const pagesOf = (path: string): ReadonlyArray<string> => {
  const [storey = "", subsystem = ""] = path.split("/")
  if (storey === "testing") return ["docs/testing.md"]
  if (subsystem === "auth") return ["docs/auth.md", "docs/accounts.md", "docs/providers.md"]
  // What the subsystems share is told where it is used.
  return ["http", "session"].includes(subsystem)
    ? ["docs/auth.md", "docs/accounts.md", "docs/errors.md", "docs/uploads.md", "docs/api-guide.md", "docs/texts.md"]
    : (homes[subsystem] ?? ["docs/texts.md"])
}

const parse = (path: string): Module => ({
  path,
  name: basename(path, ".ts"),
  pages: pagesOf(path),
  statements: [...ts.createSourceFile(path, read(path), ts.ScriptTarget.ES2022).statements]
})

const files = storeys.flatMap((storey) =>
  readdirSync(join(root, storey), { recursive: true, encoding: "utf8" }).map((name) => `${storey}/${name}`)
)

// What no entry point exports is internal.
const listed = new Set(
  entryPoints(root).flatMap(([, folder]) =>
    Array.from(read(`${folder}/index.ts`).matchAll(/ from "\.\/(.*)"/g), ([, path = ""]) => `${folder}/${path}`)
  )
)
const modules = files.filter((path) => listed.has(path)).map(parse)

const isExported = (node: ts.Statement): boolean =>
  ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true

const errorsOf = ({ path, statements }: Module): ReadonlyArray<string> =>
  statements.filter(ts.isClassDeclaration).flatMap((node) => {
    const [parent] = node.heritageClauses ?? []
    const isTagged = parent !== undefined && read(path).slice(parent.pos, parent.end).includes("Schema.TaggedError")
    return isTagged && isExported(node) ? [node.name?.text ?? ""] : []
  })

// The interface of the options need not be exported: a user writes the object.
const optionsOf = ({ name: module, statements }: Module): ReadonlyArray<string> =>
  statements
    .filter(ts.isInterfaceDeclaration)
    .filter((node) => [...(module === "AuthConfig" ? ["Settings"] : []), "Options"].includes(node.name.text))
    .flatMap((node) =>
      node.members.flatMap(({ name }) => (name !== undefined && ts.isIdentifier(name) ? [name.text] : []))
    )

/** The rows of the pages of a module. */
const rowsFor = ({ pages }: Module) => pages.flatMap((page) => rows(read(page)))

const isAdvised = (module: Module, error: string): boolean =>
  rowsFor(module).some(([names = "", when = "", advice = ""]) => {
    const named = code(names)
    return (named.includes(error) || named.includes(`${module.name}.${error}`)) && when !== "" && advice !== ""
  })

// `argon2.memory` is a part of `argon2`.
const isListed = (module: Module, option: string): boolean =>
  rowsFor(module).some((cells) =>
    cells.slice(0, 3).some((cell) => code(cell).some((name) => name.split(".")[0] === option))
  )

describe("the typed errors", () => {
  const errors = modules.flatMap((module) => errorsOf(module).map((error) => ({ error, module })))

  it("are found in the sources", () => {
    expect(errors.length).toBeGreaterThan(20)
    expect(errors.map(({ error }) => error)).toContain("InvalidCursor")
  })

  it("are each in a table with when they come and what to do", () => {
    expect(
      errors
        .filter(({ error, module }) => !isAdvised(module, error))
        .map(({ error, module }) => `${module.path}: ${error}`)
    ).toEqual([])
  })

  it("would be missed", () => {
    const module = modules.find(({ name }) => name === "Cursor")
    expect(module !== undefined && isAdvised(module, "InvalidTea")).toBe(false)
  })
})

describe("the options", () => {
  const options = modules.flatMap((module) => optionsOf(module).map((option) => ({ module, option })))

  it("are found in the sources", () => {
    expect(options.length).toBeGreaterThan(50)
    expect(options.map(({ option }) => option)).toContain("hashQueue")
  })

  it("are each in a table", () => {
    expect(
      options
        .filter(({ module, option }) => !isListed(module, option))
        .map(({ module, option }) => `${module.path}: ${option}`)
    ).toEqual([])
  })
})

describe("the recipes", () => {
  it("have each the messages that one meets on the way, with their reasons", () => {
    const recipes = readdirSync(join(root, "docs", "recipes")).map((name) => `docs/recipes/${name}`)
    expect(recipes.length).toBeGreaterThanOrEqual(23)
    const silent = recipes.filter((path) => {
      const [, table = ""] = read(path).split("\n| you may meet | because |\n")
      return rows(table).length === 0
    })
    expect(silent).toEqual([])
  })
})
