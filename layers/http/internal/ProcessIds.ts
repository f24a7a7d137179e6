// Identifies a process beyond its process id, which the kernel reuses.
import { readFileSync } from "node:fs"

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return undefined
  }
}

// Start times count from the boot of the machine, so the id of the boot is part of the name.
const boot = read("/proc/sys/kernel/random/boot_id")?.slice(0, 8)

/** A name that no other process of this machine has or had; `undefined` when the process does not run. */
export const identify = (pid: number): string | undefined => {
  if (boot === undefined) return exists(pid) ? `${pid}` : undefined
  const stat = read(`/proc/${pid}/stat`)
  // The second field is the program's name and may contain anything, so parsing starts after its last bracket.
  const [state, ...fields] = stat?.slice(stat.lastIndexOf(")") + 2).split(" ") ?? []
  const ended = state === undefined || state === "Z" || state === "X"
  return ended ? undefined : `${pid}-${boot}-${fields[18]}`
}

/** Whether the process with this name still runs. */
export const isAlive = (name: string): boolean => identify(Number.parseInt(name, 10)) === name

// Without /proc a reused process id cannot be distinguished; the file is then kept until the new process ends too.
const exists = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}
