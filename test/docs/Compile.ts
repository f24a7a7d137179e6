// Compiles the entry points of the package and the examples that it is given, as one program, and writes what it found.
// A process of its own: it takes longer than a worker of vitest may be silent.
import { writeFileSync } from "node:fs"
import ts from "typescript"
import * as Exports from "../../docs/tools/Exports.ts"
import * as Mentions from "../../docs/tools/Mentions.ts"

const [root = "", output = "", ...examples] = process.argv.slice(2)

const program = Exports.compile(root, examples)

const faults = examples
  .map((path) => program.getSourceFile(path))
  .flatMap((file) => [program.getSemanticDiagnostics(file), program.getSyntacticDiagnostics(file)].flat())
  .map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`)

const found = { entries: Exports.read(root, program), ...Mentions.read(root, program), faults }

writeFileSync(output, JSON.stringify(found))
