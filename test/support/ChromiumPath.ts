// Where Chromium is on this machine.
import { runs } from "./Executable.ts"

// The shell without a window loads a page in less than half the time.
const usual = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/snap/bin/chromium",
  "/opt/homebrew/bin/chromium",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
]

/** `CHROMIUM_PATH` when it is set, else the first of the usual places that holds one. */
export const find = (): string | undefined => {
  const given = process.env["CHROMIUM_PATH"]
  return given === undefined || given === "" ? usual.find(runs) : given
}

/** What Chromium needs to start on any machine, in a container too. */
export const flags = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
