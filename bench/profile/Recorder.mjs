// Loaded into a server that is profiled: SIGUSR2 starts a recording, the next one writes it to the file PROFILE.
import { writeFileSync } from "node:fs"
import { Session } from "node:inspector/promises"

let session

process.on("SIGUSR2", async () => {
  if (session === undefined) {
    session = new Session()
    session.connect()
    await session.post("Profiler.enable")
    await session.post("Profiler.setSamplingInterval", { interval: 250 })
    await session.post("Profiler.start")
    return
  }
  const { profile } = await session.post("Profiler.stop")
  session.disconnect()
  session = undefined
  writeFileSync(process.env.PROFILE, JSON.stringify(profile))
})
