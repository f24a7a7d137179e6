#!/usr/bin/env node
// The command of the package: `npx effect-framework new my-app`.
import { command } from "./Command.ts"

const { err, out, status } = command(process.argv.slice(2), process.cwd(), process.versions.node)
process.stdout.write(out)
process.stderr.write(err)
process.exitCode = status
