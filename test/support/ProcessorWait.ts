// How long processes were ready to run but had no processor: the delay that a busy machine causes.
import { readFileSync } from "node:fs"

const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

/** Milliseconds that a process and its children have waited for a processor, all added up; 0 where the system does not tell. */
export const processorWait = (pid: number): number => {
  const [, nanos = "0"] = read(`/proc/${pid}/schedstat`).split(" ")
  const children = read(`/proc/${pid}/task/${pid}/children`)
    .split(" ")
    .filter((child) => child.trim() !== "")
  return children.reduce((sum, child) => sum + processorWait(Number(child)), Number(nanos) / 1e6)
}
