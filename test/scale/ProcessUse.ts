// What the system says that a process uses. Linux alone tells.
import { readdirSync, readFileSync } from "node:fs"
import { processTree } from "../support/ProcessTree.ts"

const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

/** Mebibytes of memory that are its own or shared. */
export const memory = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024

/** Open files and sockets. */
export const descriptors = (pid: number): number => {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return 0
  }
}

// A tick is a hundredth of a second on every Linux that Node runs on.
const tick = 10

/** Milliseconds of processor time of a process and its children, also of those that have ended. */
export const processorTime = (pid: number): number =>
  processTree(pid).reduce((sum, process) => {
    const fields = read(`/proc/${process}/stat`)
      .replace(/^.*\) /, "")
      .split(" ")
    return sum + tick * [11, 12, 13, 14].reduce((ticks, field) => ticks + Number(fields[field] ?? 0), 0)
  }, 0)
