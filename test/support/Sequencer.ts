// Starts the files that take longest first, so that none of them runs on alone at the end.
import { BaseSequencer, type TestSpecification } from "vitest/node"

// By `npm run slowest`.
const longest = [
  "test/examples/Shop",
  "test/Package",
  "test/docs/Examples",
  "test/Peers",
  "test/layers/observability/Fleet.processes",
  "test/browser/ApiDocs",
  "test/routes/auth/AccountsContract",
  "test/demo/Fatal",
  "test/app/commands/Export",
  "test/browser/AuthPages",
  "test/layers/errors/RunMain.processes",
  "test/routes/auth/AccountsHandlers",
  "test/scale/Scale",
  "test/demo/RestoredTabs",
  "test/demo/observability/Prometheus",
  "test/Readme",
  "test/browser/RestoredTabs",
  "test/browser/DebugPage",
  "test/demo/PrivateFiles",
  "test/demo/client/Commands",
  "test/browser/Passkeys",
  "test/routes/auth/AccountsProgram",
  "test/demo/Traces",
  "test/demo/HostileText",
  "test/demo/NewerSchema",
  "test/layers/server/WebSockets.processes",
  "test/layers/mail/Queue.processes",
  "test/Growth"
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
