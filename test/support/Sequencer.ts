// Starts the files that take longest first, so that none of them runs on alone at the end.
import { BaseSequencer, type TestSpecification } from "vitest/node"

// By `npm run slowest`.
const longest = [
  "test/examples/Shop",
  "test/Package",
  "test/docs/Examples",
  "test/Peers",
  "test/layers/observability/Fleet.processes",
  "test/browser/AuthPages",
  "test/browser/RestoredTabs",
  "test/browser/Passkeys",
  "test/cli/commands/Export",
  "test/demo/RestoredTabs",
  "test/demo/Fatal",
  "test/demo/Start",
  "test/demo/Auth",
  "test/demo/HostileText",
  "test/Readme",
  "test/Growth",
  "test/layers/mail/QueueProcesses",
  "test/layers/server/WebSockets.processes"
].map((name) => `/${name}.test.ts`)

const rank = ({ moduleId }: TestSpecification): number => {
  const found = longest.findIndex((name) => moduleId.endsWith(name))
  return found < 0 ? longest.length : found
}

export class Sequencer extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await super.sort(files)
    return sorted.sort((a, b) => rank(a) - rank(b))
  }
}
