// The configuration files of docs/examples with the addresses of this machine: what is documented is what runs here.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../support/NodeProcess.ts"

const example = (name: string): string => readFileSync(join(root, "docs", "examples", name), "utf8")

const replace = (text: string, pattern: RegExp, line: string): string => {
  if (!pattern.test(text)) throw new Error(`docs/examples has no line ${pattern}`)
  return text.replace(pattern, line)
}

/** `haproxy.cfg` without TLS, in front of these ports. */
export const haproxy = (port: number, servers: ReadonlyArray<number>): string => {
  const bound = replace(example("haproxy.cfg"), /^ {2}bind .*$/m, `  bind 127.0.0.1:${port}`)
  const lines = servers.map((server, index) => `  server machine-${index + 1} 127.0.0.1:${server}`)
  return replace(bound, /^(?: {2}server .*\n?)+/m, `${lines.join("\n")}\n`)
}

/** `pgbouncer.ini` without passwords, in front of the server on this port. */
export const pgbouncer = (port: number, server: number, users: string): string => {
  const lines: ReadonlyArray<readonly [RegExp, string]> = [
    [/^app = .*$/m, `* = host=127.0.0.1 port=${server}`],
    [/^listen_addr = .*$/m, "listen_addr = 127.0.0.1"],
    [/^listen_port = .*$/m, `listen_port = ${port}`],
    [/^auth_type = .*$/m, "auth_type = trust"],
    [/^auth_file = .*$/m, `auth_file = ${users}\nunix_socket_dir =`]
  ]
  return lines.reduce((text, [pattern, line]) => replace(text, pattern, line), example("pgbouncer.ini"))
}

/** Seconds until HAProxy has noticed that a server is not ready: the interval times the failures that it waits for. */
export const noticed = (): number => {
  const [, interval = "", fall = ""] = /inter (\d+)s fall (\d+)/.exec(example("haproxy.cfg")) ?? []
  return Number(interval) * Number(fall)
}
