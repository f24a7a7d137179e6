// Which process a process id means: the kernel gives the same number to another one day.
import { readFileSync } from "node:fs"

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return undefined
  }
}

// Start times are counted from the start of the machine, so the start of the machine belongs to the name.
const boot = read("/proc/sys/kernel/random/boot_id")?.slice(0, 8)

/** A name that no other process of this machine has or had; nothing when there is no such process now. */
export const identify = (pid: number): string | undefined => {
  if (boot === undefined) return exists(pid) ? `${pid}` : undefined
  const stat = read(`/proc/${pid}/stat`)
  // The second field is the program's name and may hold anything; what follows its last bracket is plain.
  const [state, ...fields] = stat?.slice(stat.lastIndexOf(")") + 2).split(" ") ?? []
  const ended = state === undefined || state === "Z" || state === "X"
  return ended ? undefined : `${pid}-${boot}-${fields[18]}`
}

/** Whether the process of this name still runs. */
export const isAlive = (name: string): boolean => identify(Number.parseInt(name, 10)) === name

// Without /proc a number that is taken again cannot be told apart; its file is then kept until that one ends too.
const exists = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}
