// What the kernel says of a process and those that it started.
import { existsSync, readdirSync, readFileSync } from "node:fs"

/** The process and its children, theirs included. */
export const family = (pid: number): ReadonlyArray<number> => {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number)
  )
  return [pid, ...children.flatMap(family)]
}

/** Seconds of the processor that all threads of a process have used; the clock where the system does not tell. */
export const processorSeconds = (pid: number): number => {
  const threads = `/proc/${pid}/task`
  if (!existsSync(threads)) return performance.now() / 1000
  const nanoseconds = (thread: string) => Number(readFileSync(`${threads}/${thread}/schedstat`, "utf8").split(" ")[0])
  return readdirSync(threads).reduce((sum, thread) => sum + nanoseconds(thread), 0) / 1e9
}

/** MiB that a process holds in memory; 0 where the system does not tell. */
export const resident = (pid: number): number => {
  const file = `/proc/${pid}/status`
  const status = existsSync(file) ? readFileSync(file, "utf8") : ""
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}

/** Clock ticks that the main thread has spent in the program and in the kernel. */
export const ticks = (pid: number): { readonly user: number; readonly system: number } => {
  const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, "utf8")
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13)
    .map(Number)
  return { user, system }
}

/** The share of the machine's processor time that its host gave to others since this call; 0 where the system does not tell. */
export const stolen = (): (() => number) => {
  const read = () => {
    if (!existsSync("/proc/stat")) return { total: 0, steal: 0 }
    const times =
      readFileSync("/proc/stat", "utf8").split("\n", 1)[0]?.trim().split(/\s+/).slice(1, 9).map(Number) ?? []
    return { total: times.reduce((sum, time) => sum + time, 0), steal: times[7] ?? 0 }
  }
  const before = read()
  return () => {
    const after = read()
    return after.total === before.total ? 0 : (after.steal - before.steal) / (after.total - before.total)
  }
}
