// The oldest Node.js that will do. It is asked first: an older one cannot even load what comes after.

/** As `engines` in package.json says. */
export const minimum = "20.19"

/** What to say to a Node.js of this version; nothing when it will do. */
export const problem = (node: string): string | undefined => {
  const [major = 0, minor = 0] = node.split(".").map(Number)
  const [leastMajor = 0, leastMinor = 0] = minimum.split(".").map(Number)
  const isOlder = major < leastMajor || (major === leastMajor && minor < leastMinor)
  return isOlder ? `Node.js ${minimum} or later is needed; this is ${node}.` : undefined
}

/** Goes on under a Node.js that will do; else says so in one line, with status 1. */
export const requireVersion = async (goOn: () => Promise<void>): Promise<void> => {
  const reason = problem(process.versions.node)
  if (reason === undefined) return goOn()
  process.stderr.write(`${reason}\n`)
  process.exitCode = 1
}
