// The cost of telemetry: responses for each second of processor time, with metrics, with traces, and without.
import { createServer } from "node:http"
import * as Built from "../Built.ts"
import * as Load from "../Load.ts"
import type { Options } from "../Options.ts"
import * as Rounds from "../Rounds.ts"
import type { Row } from "../Row.ts"
import { processorSeconds } from "../server/Process.ts"

const efficiency = async (server: Load.Server, seconds: number): Promise<number> => {
  const before = processorSeconds(server.pid)
  const rate = await Load.rate({ url: `${server.url}/hello` }, { connections: 32, seconds })
  return (rate * seconds) / (processorSeconds(server.pid) - before)
}

/** A collector that accepts everything. */
const collector = async () => {
  const server = createServer((request, response) => request.resume().on("end", () => response.end("{}")))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return { url: `http://127.0.0.1:${port}`, stop: () => new Promise((resolve) => server.close(resolve)) }
}

const unit = "responses per processor second"

// Starts of one program differ by more than what is measured here.
const starts = 8

export const measure = async ({ quick, rounds }: Options): Promise<ReadonlyArray<Row>> => {
  const program = await Built.bundle("bench/observability/Counted.ts")
  const receiver = await collector()
  const sampled = {
    TRACING: "1",
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_TRACES_SAMPLER: "traceidratio",
    OTEL_TRACES_SAMPLER_ARG: "0.01"
  }
  const times = quick ? 1 : starts
  const started = async () => {
    const { serve, stop } = Load.servers()
    try {
      const servers = {
        without: await serve([program]),
        counted: await serve([program], { TELEMETRY: "1" }),
        off: await serve([program], { TRACING: "1" }),
        sampled: await serve([program], sampled)
      }
      for (const server of Object.values(servers)) await efficiency(server, quick ? 1 : 3)
      return await Rounds.take(
        {
          without: () => efficiency(servers.without, 1),
          counted: () => efficiency(servers.counted, 1),
          off: () => efficiency(servers.off, 1),
          sampled: () => efficiency(servers.sampled, 1)
        },
        Math.ceil(rounds("telemetry") / times)
      )
    } finally {
      await stop()
    }
  }
  try {
    const rates = await Rounds.ofStarts(times, started)
    return [
      { subject: "with telemetry / without", ...Rounds.compared(rates, "counted", "without"), unit, bar: 0.95 },
      { subject: "traces without a collector / without", ...Rounds.compared(rates, "off", "without"), unit, bar: 0.97 },
      { subject: "traces sampled at 1 % / without", ...Rounds.compared(rates, "sampled", "without"), unit, bar: 0.93 }
    ]
  } finally {
    await receiver.stop()
  }
}
