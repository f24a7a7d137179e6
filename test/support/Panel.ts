// A look at the development panel from this machine: the clients of the test kit come through a proxy, which the panel refuses.
import { Effect } from "effect"

/** The page, on a connection of its own. */
export const get = (url: string, path: string) =>
  Effect.promise(async (signal) => {
    const page = await fetch(url + path, { headers: { accept: "text/html", connection: "close" }, signal })
    return { status: page.status, body: await page.text() }
  })
