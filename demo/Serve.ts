// The demo's server as a command.
import { program } from "./Program.ts"
import { runAsProcess, type Command, type Args } from "./commands/Command.ts"

export const usage = `Usage: npm run demo      from the sources
       npm start         from the build

Serves until it is told to stop by Ctrl-C or SIGTERM. Its settings are environment variables, each with a default:

  HOST, PORT              where it listens (127.0.0.1, 8087)
  APP_URL                 what links in letters begin with (http://localhost:8087)
  DATABASE_URL            file:PATH or postgres://… (a SQLite file in STORAGE_DIR)
  STORAGE_DIR             letters, logs, metrics and the default database (storage)
  WORKERS                 processes that share the port (1)
  TRUSTED_PROXIES         whose X-Forwarded-For is believed (nobody's)
  MAIL_HOST               the mail server (none: letters are files in STORAGE_DIR)
  FRAMEWORK_ENVIRONMENT   development, staging, test or production (production)

  --help                  print this

All of them are in docs/deployment.md.`

export const serve: Command = { usage, parse: (words) => (words.length === 0 ? program : undefined) }

/** Serves as this process. */
export const runServer = (words: Args): void => runAsProcess(serve, words)
