// `errors` after a program has ended: the exceptions of its log, grouped.
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Demo from "../../support/Demo.ts"
import { eventually } from "../../support/Eventually.ts"
import * as Panel from "../../support/Panel.ts"
import * as Visitor from "../../support/Visitor.ts"

it.scopedLive(
  "errors groups the log without a server, and shows the last exception of a group; so does the panel",
  () =>
    Effect.gen(function* () {
      const storage = yield* Demo.folder
      const demo = yield* Demo.demo({ STORAGE_DIR: storage, FRAMEWORK_ENVIRONMENT: "development" })
      const visitor = Visitor.make(demo.url)
      for (const path of ["/error", "/error/chain", "/error"]) {
        yield* visitor.request(path, { headers: { "x-request-id": `asked${path.replaceAll("/", "-")}` } })
      }
      const panel = yield* eventually(Panel.get(demo.url, "/_debug/errors"), ({ body }) => /<td>2<\/td>|>2</.test(body))
      expect(panel.body).toContain("This route throws on purpose.")
      demo.signal("SIGTERM")
      yield* demo.ended
      const print = Effect.fnUntraced(function* (...words: ReadonlyArray<string>) {
        const command = yield* Demo.start(Demo.command("errors", ...words), { STORAGE_DIR: storage })
        const { code } = yield* command.ended
        return { code, ...command.output() }
      })
      const { code, stdout } = yield* print()
      expect(code).toBe(0)
      const [, fingerprint = ""] =
        /^([0-9a-f]{16}) {2}2 times {2}Error: This route throws on purpose\.$/m.exec(stdout) ?? []
      expect(fingerprint).not.toBe("")
      expect(stdout).toMatch(/^[0-9a-f]{16} {2}once {2}OrderRejected: Order 1042 cannot be placed\.$/m)
      expect(stdout).toMatch(/^ {2}GET \/error$/m)
      const one = yield* print(fingerprint.slice(0, 8))
      expect(one.stdout).toContain("request asked-error")
      expect(one.stdout).toMatch(/at explode \(\S+demo\/Failures\.ts:\d+\)/)
      const lines = (yield* print("--json")).stdout.trim().split("\n")
      expect(lines.map((line) => JSON.parse(line).count).sort()).toEqual([1, 2])
      expect((yield* print("ffffffffffffffff0")).code).toBe(1)
    })
)
