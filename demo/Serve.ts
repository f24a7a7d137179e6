// The demo's server as a command.
import { program } from "./Program.ts"
import { runAsProcess, type Command, type Args } from "./commands/Command.ts"

export const usage = `Usage: npm run demo      from the sources
       npm start         from the build

Serves until Ctrl-C or SIGTERM. The settings are environment variables, each with a default:

  HOST, PORT              where it listens (127.0.0.1, 8087)
  APP_URL                 base of the links in e-mails (http://localhost:8087)
  DATABASE_URL            file:PATH or postgres://… (a SQLite file in STORAGE_DIR)
  STORAGE_DIR             e-mails, logs, metrics and the default database (storage)
  WORKERS                 processes that share the port (1)
  TRUSTED_PROXIES         proxies whose X-Forwarded-For is trusted (none)
  MAIL_HOST               the mail server (none: e-mails are files in STORAGE_DIR)
  FRAMEWORK_ENVIRONMENT   development, staging, test or production (production)

  --help                  print this

docs/deployment.md lists all of them.`

export const serve: Command = { usage, parse: (args) => (args.length === 0 ? program : undefined) }

/** Serves as this process. */
export const runServer = (args: Args): void => runAsProcess(serve, args)
