// The output while properties run: progress, elapsed time, and how to repeat a failure.
import { relative } from "node:path"
import type { Reporter, TestCase, TestModule, TestSpecification } from "vitest/node"
import { root } from "./Properties.ts"

const shownLines = 14
const interval = 10_000

const clock = (milliseconds: number): string => {
  const seconds = Math.floor(milliseconds / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`
}

const shown = (errors: ReadonlyArray<{ readonly message: string }> | undefined): ReadonlyArray<string> =>
  (errors?.[0]?.message ?? "")
    .split("\n")
    .filter((line) => !/^\s*at .*node_modules/.test(line))
    .slice(0, shownLines)

const pathOf = (module: TestModule): string => relative(root, module.moduleId)

export class Progress implements Reporter {
  /** Properties and files that failed. */
  failures = 0
  readonly #began = Date.now()
  readonly #terminal = process.stderr.isTTY === true
  #files = 0
  #ended = 0
  #properties = 0
  readonly #counted = new Map<string, number>()
  #now = ""
  #timer: ReturnType<typeof setInterval> | undefined

  onTestRunStart(specifications: ReadonlyArray<TestSpecification>): void {
    this.#files = specifications.length
    this.#ended = 0
    this.#timer = setInterval(() => this.#show(), this.#terminal ? 1000 : interval).unref()
  }

  onTestCaseReady(test: TestCase): void {
    this.#now = `${pathOf(test.module)} > ${test.name}`
    if (this.#terminal) this.#show()
  }

  onTestCaseResult(test: TestCase): void {
    const { errors, state } = test.result()
    if (state !== "passed" && state !== "failed") return
    this.#properties++
    for (const [name, count] of Object.entries(test.meta().counted ?? {})) {
      this.#counted.set(name, (this.#counted.get(name) ?? 0) + count)
    }
    if (state === "failed") this.#fail(test.module, test.fullName, errors, test.meta().seed)
  }

  onTestModuleEnd(module: TestModule): void {
    this.#ended++
    const errors = module.errors()
    if (errors.length > 0) this.#fail(module, "did not run", errors, undefined)
    if (!this.#terminal) this.#now = pathOf(module)
    this.#show()
  }

  onTestRunEnd(_: ReadonlyArray<TestModule>, errors: ReadonlyArray<{ readonly message: string }>): void {
    clearInterval(this.#timer)
    for (const { message } of errors) this.#say(`FAILED outside a test: ${message}`)
    this.failures += errors.length
    if (this.#terminal) process.stderr.write("\n")
  }

  /** Files that did not even begin, because what they share could not start, have not passed. */
  endRound(): void {
    clearInterval(this.#timer)
    if (this.#ended === this.#files) return
    this.failures++
    this.#say(`FAILED ${this.#files - this.#ended} of ${this.#files} files did not run`)
  }

  /** One line for the end of all rounds. */
  summary(rounds: number): string {
    const verdict = this.failures === 0 ? "nothing failed" : `${this.failures} failed`
    const counted = Array.from(this.#counted, ([name, count]) => `, ${count.toLocaleString("en")} ${name}`).join("")
    const elapsed = clock(Date.now() - this.#began)
    return `fuzz: ${this.#properties} properties in ${rounds} round(s)${counted}, ${elapsed}, ${verdict}`
  }

  #show(): void {
    const elapsed = clock(Date.now() - this.#began)
    const line = `[${this.#ended}/${this.#files} files, ${this.#properties} properties, ${elapsed}] ${this.#now}`
    process.stderr.write(
      this.#terminal ? `\r\u001B[K${line.slice(0, (process.stderr.columns ?? 80) - 1)}` : `${line}\n`
    )
  }

  #say(line: string): void {
    process.stderr.write(`${this.#terminal ? "\r\u001B[K" : ""}${line}\n`)
  }

  #fail(
    module: TestModule,
    name: string,
    errors: ReadonlyArray<{ readonly message: string }> | undefined,
    seed: number | undefined
  ): void {
    this.failures++
    this.#say(`\nFAILED ${pathOf(module)} > ${name}`)
    for (const line of shown(errors)) this.#say(`  ${line.slice(0, 400)}`)
    if (seed !== undefined) this.#say(`  repeat: FUZZ_SEED=${seed} npm run fuzz -- ${pathOf(module)}\n`)
  }
}
