// A process and those that it started, and how long they were ready to run but had no processor.
import { readFileSync } from "node:fs"

const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

/** A process, its children and theirs; the process alone where the system does not tell. */
export const processTree = (pid: number): ReadonlyArray<number> => [
  pid,
  ...read(`/proc/${pid}/task/${pid}/children`)
    .split(" ")
    .filter((child) => child.trim() !== "")
    .flatMap((child) => processTree(Number(child)))
]

/**
 * Milliseconds that a process and its children have waited for a processor, all added up: the delay that a busy machine
 * causes. 0 where the system does not tell.
 */
export const processorWait = (pid: number): number =>
  processTree(pid).reduce((sum, process) => {
    const [, nanos = "0"] = read(`/proc/${process}/schedstat`).split(" ")
    return sum + Number(nanos) / 1e6
  }, 0)
