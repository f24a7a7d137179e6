// A whole program that also runs jobs beside its requests, as many at once as by default. `BENCH_JOBS` are ready at its start.
import { Effect, Layer, Schema } from "effect"
import * as App from "../../app/App.ts"
import * as Job from "../../src/jobs/Job.ts"
import * as Jobs from "../../src/jobs/Jobs.ts"
import * as Hello from "../server/Hello.ts"

// It waits for somebody else, as a mail does.
const Brief = Job.make("brief", { payload: Schema.Struct({ number: Schema.Number }) })

const stored = Effect.suspend(() =>
  Jobs.enqueueAll(
    Brief,
    Array.from({ length: Number(process.env["BENCH_JOBS"]) }, (_, number) => ({ number }))
  )
)

const services = Layer.effectDiscard(stored).pipe(
  Layer.provideMerge(Job.toLayer(Brief, () => Effect.sleep("5 millis")))
)

App.run({ name: "serving", pages: [Hello.route], services })
