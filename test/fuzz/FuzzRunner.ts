// Runs in a worker of vitest: only properties, each of them many times, with a fresh seed each time.
import type { File, Suite, Task, Test } from "@vitest/runner"
import { FastCheck } from "effect"
import { randomInt } from "node:crypto"
import { relative } from "node:path"
import { setImmediate } from "node:timers/promises"
import { VitestTestRunner } from "vitest/runners"
import { getFn } from "vitest/suite"
import * as Counted from "./Counted.ts"
import * as Properties from "./Properties.ts"

declare module "@vitest/runner" {
  export interface TaskMeta {
    /** The seed with which a property failed. */
    seed?: number
    /** What a property has counted of its work. */
    counted?: Readonly<Record<string, number>>
  }
}

const given = process.env["FUZZ_SEED"] ?? ""
const deadline = Number(process.env["FUZZ_DEADLINE"] ?? Infinity)

const freshSeed = (): number => randomInt(-0x8000_0000, 0x8000_0000)

const testsOf = (suite: Suite): ReadonlyArray<Test> =>
  suite.tasks.flatMap((task) => (task.type === "test" ? [task] : testsOf(task)))

const lineOf = (task: Task): number => task.location?.line ?? 0

const skipOthers = (suite: Suite, properties: ReadonlySet<number>): void => {
  for (const task of suite.tasks) {
    if (task.type === "suite") skipOthers(task, properties)
    else if (!properties.has(lineOf(task))) task.mode = "skip"
  }
  if (suite.tasks.every(({ mode }) => mode !== "run" && mode !== "queued")) suite.mode = "skip"
}

export default class FuzzRunner extends VitestTestRunner {
  onCollected(files: Array<File>): void {
    for (const file of files) {
      skipOthers(file, Properties.propertyLines(file.filepath, testsOf(file).map(lineOf)))
    }
  }

  async runTask(test: Test): Promise<void> {
    Counted.take()
    const times = given === "" ? Properties.repetitions(relative(Properties.root, test.file.filepath)) : 1
    for (let time = 0; time < times && Date.now() < deadline; time++) {
      const seed = given === "" ? freshSeed() : Number(given)
      test.meta.seed = seed
      FastCheck.configureGlobal({ seed })
      await getFn(test)()
      // A property that never yields would keep the worker from reading its messages until vitest gives it up.
      await setImmediate()
    }
    test.meta.counted = Counted.take()
  }
}
