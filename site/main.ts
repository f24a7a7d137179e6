// `npm run site` serves the documentation as a site, `npm run site -- build` writes it as static files.
import { execFileSync, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { root } from "./Navigation.ts"

const usage = `Usage: npm run site -- [build] [options of vitepress]

  (nothing)   serves the documentation, and again whatever changes; --port PORT
  build       writes static files to site/.vitepress/dist; --outDir FOLDER, --base /PATH/
  preview     serves those files
`

const words = process.argv.slice(2)
const [command = ""] = words

// The packages of the site are its own, as those of the measurements are.
const prepare = (): void => {
  if (existsSync(join(root, "site", "node_modules", "vitepress"))) return
  process.stderr.write("installing the packages of the site (once)\n")
  execFileSync("npm", ["ci", "--prefix", "site", "--no-audit", "--no-fund", "--silent"], {
    cwd: root,
    stdio: "inherit"
  })
}

const run = (name: string, options: ReadonlyArray<string>): void => {
  prepare()
  const program = join(root, "site", "node_modules", "vitepress", "bin", "vitepress.js")
  const child = spawn(process.execPath, [program, name, "site", ...options], { cwd: root, stdio: "inherit" })
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void child.kill(signal))
  child.once("exit", (code) => void (process.exitCode = code ?? 1))
}

if (words.some((word) => word === "--help" || word === "-h")) process.stdout.write(usage)
else if (command === "build" || command === "preview") run(command, words.slice(1))
else if (command === "" || command.startsWith("-")) run("dev", words)
else {
  process.stderr.write(usage)
  process.exitCode = 2
}
