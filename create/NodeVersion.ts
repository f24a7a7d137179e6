// The oldest supported Node.js. Checked first: an older one cannot load the other modules.

/** As `engines` in package.json says. */
export const minimum = "20.19"

export const isOlder = (node: string, than: string): boolean => {
  const [major = 0, minor = 0] = node.split(".").map(Number)
  const [minMajor = 0, minMinor = 0] = than.split(".").map(Number)
  return major < minMajor || (major === minMajor && minor < minMinor)
}

/** The message for an unsupported version; `undefined` for a supported one. */
export const problem = (node: string): string | undefined =>
  isOlder(node, minimum) ? `Node.js ${minimum} or later is needed; this is ${node}.` : undefined

/** Runs `start` on a supported Node.js; else prints one line and sets exit status 1. */
export const requireVersion = async (start: () => Promise<void>): Promise<void> => {
  const reason = problem(process.versions.node)
  if (reason === undefined) return start()
  process.stderr.write(`${reason}\n`)
  process.exitCode = 1
}
