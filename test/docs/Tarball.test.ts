// What npm publishes: everything that the README links to, and where the project lives.
import { describe, expect, it } from "@effect/vitest"
import { normalize } from "node:path"
import { root } from "../support/Demo.ts"
import { run } from "../support/Packed.ts"
import { code, read, rows } from "./Pages.ts"

const manifest = JSON.parse(read("package.json"))
const readme = read("README.md")
const guide = read("docs/getting-started.md")

const links = Array.from(readme.matchAll(/\]\(([^()\s#]+)[^()]*\)/g), ([, target = ""]) => target).filter(
  (target) => !/^[a-z]+:/.test(target)
)

const packed = async (): Promise<ReadonlyArray<string>> => {
  const { stdout } = await run("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: root })
  const [{ files }] = JSON.parse(stdout)
  return files.map(({ path }: { readonly path: string }) => path)
}

describe("the tarball", () => {
  it("carries every file that the README links to", async () => {
    const paths = await packed()
    expect(links.length).toBeGreaterThan(15)
    expect(links.filter((target) => !paths.includes(normalize(target)))).toEqual([])
    expect(paths).toEqual(
      expect.arrayContaining(["README.md", "AGENTS.md", "CHANGELOG.md", "LICENSE", "docs/pictures/account.png"])
    )
  }, 240_000)

  it("names the repository, the home page and the place for bugs", () => {
    const home = "https://github.com/effect-framework/effect-framework"
    expect(manifest).toMatchObject({
      repository: { type: "git", url: `git+${home}.git` },
      homepage: `${home}#readme`,
      bugs: { url: `${home}/issues` }
    })
  })
})

describe("the install line of the guide", () => {
  const [, line = ""] = /^npm install effect-framework ([^`]*)\n```/m.exec(guide) ?? []
  const named = line.replaceAll("\\\n", " ").split(/\s+/)
  const optional = rows(guide)
    .flatMap((cells) => cells.flatMap(code))
    .flatMap((text) => (text.startsWith("npm install ") ? text.split(" ").slice(2) : []))
  const nameOf = (text: string) => text.replace(/(.)@.*$/, "$1")

  it("names every peer that is not optional, and what composes e-mails", () => {
    const required = Object.keys(manifest.peerDependencies).filter(
      (name) => !Object.hasOwn(manifest.peerDependenciesMeta, name)
    )
    expect(named.map(nameOf).sort()).toEqual([...required, "nodemailer"].sort())
  })

  it("names the versions that the tests run with, since npm's latest is another major one", () => {
    const versions = [...named, ...optional.filter((text) => text.startsWith("@effect/"))]
      .filter((text) => text !== "nodemailer")
      .map((text) => [nameOf(text), text.replace(/.*@/, "^")])
    expect(
      versions.filter(([name = "", range = ""]) => !`${manifest.devDependencies[name]}.`.startsWith(`${range}.`))
    ).toEqual([])
  })

  it("is followed by the other optional peers", () => {
    expect([...optional.map(nameOf), "nodemailer"].sort()).toEqual(Object.keys(manifest.peerDependenciesMeta).sort())
  })
})

describe("the entry points of the guide", () => {
  it("are those of the package", () => {
    const [, table = ""] = guide.split("## Entry points")
    const [, contracts = []] = rows(table).map(([cell = ""]) => code(cell).map((name) => name.replace(/^.*\//, "./")))
    const named = Object.keys(manifest.exports).filter((name) => /^\.\/[a-z]+$/.test(name) && name !== "./testing")
    expect([...contracts].sort()).toEqual(named.sort())
  })
})
