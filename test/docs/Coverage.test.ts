// The page of each subsystem covers it: every typed error with what to do about it, and every option.
import { describe, expect, it } from "@effect/vitest"
import { readdirSync } from "node:fs"
import { basename, join } from "node:path"
import ts from "typescript"
import { entryPoints } from "../../docs/tools/Exports.ts"
import { sidebar } from "../../site/Navigation.ts"
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
  const recipes = readdirSync(join(root, "docs", "recipes"))
    .filter((name) => name !== "README.md")
    .map((name) => `docs/recipes/${name}`)
  const messagesOf = (path: string) => read(path).split("\n| you may meet | because |\n")[1] ?? ""

  it("have each the messages that one meets on the way, with their reasons", () => {
    expect(recipes.length).toBeGreaterThanOrEqual(23)
    expect(recipes.filter((path) => rows(messagesOf(path)).length === 0)).toEqual([])
  })

  it("name messages that the framework has, word for word", () => {
    const sources = ["src", "layers", "routes", "app", "testing", "create"]
      .flatMap((storey) =>
        readdirSync(join(root, storey), { recursive: true, encoding: "utf8" }).map((name) => `${storey}/${name}`)
      )
      .filter((path) => path.endsWith(".ts"))
      .map(read)
      .join("\n")
      // A long text is several that are added up.
      .replaceAll(/[`"] \+\s*[`"]/g, "")
      .replaceAll(/\$\{[^{}]*\}/g, "…")
    const settings = read("docs/deployment.md")
    // What others say: Google.
    const foreign = new Set(["redirect_uri_mismatch"])
    const isSaid = (message: string, own: string): boolean => {
      const words = message.split(/\s+/)
      if (words.length === 1) {
        const names = message.match(/[A-Za-z]\w+/g) ?? []
        return names.every((name) => [sources, own, settings].some((text) => text.includes(name)))
      }
      // Names of a program stand between the words of the framework.
      const length = words.length <= 4 ? 2 : 3
      return words.some((_, at) => {
        const part = words.slice(at, at + length)
        return part.length === length && sources.includes(part.join(" "))
      })
    }
    const unsaid = recipes.flatMap((path) => {
      const [own = ""] = read(path).split("\n| you may meet | because |\n")
      return rows(messagesOf(path))
        .flatMap(([cell = ""]) => code(cell))
        .filter((message) => !foreign.has(message) && !isSaid(message, own))
        .map((message) => `${path}: ${message}`)
    })
    expect(unsaid).toEqual([])
    expect(isSaid("A teapot brews nothing without leaves", "")).toBe(false)
  })

  it("stand in their index by task, each once, and the README and the first page lead there", () => {
    const listed = Array.from(read("docs/recipes/README.md").matchAll(/\]\(([\w-]+\.md)\)/g), ([, name = ""]) => name)
    expect([...listed].sort().map((name) => `docs/recipes/${name}`)).toEqual([...recipes].sort())
    expect(
      sidebar["/"]
        .find(({ text }) => text === "Recipes")
        ?.items.slice(1)
        .map(({ link }) => link)
    ).toEqual(listed.map((name) => `/recipes/${name}`))
    expect(read("README.md")).toContain("](docs/recipes/README.md)")
    expect(read("site/index.md")).toContain("link: /recipes/")
  })
})

describe("a newcomer", () => {
  it("is told of the way from a checkout wherever npm create is the first command", () => {
    for (const path of [
      "README.md",
      "docs/getting-started.md",
      "docs/tutorial/1-accounts-and-roles.md",
      "site/index.md"
    ]) {
      expect([path, /npm create/.test(read(path)), /\bcheckout\b/.test(read(path))]).toEqual([path, true, true])
    }
    const { name, version } = JSON.parse(read("package.json"))
    expect(read("docs/getting-started.md")).toContain(`${name}-${version}.tgz`)
  })
})
