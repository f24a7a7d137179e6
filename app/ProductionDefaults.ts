// Defaults that suit development, and that a program in production is warned about.
import type { AppConfig } from "../layers/server/AppConfig.ts"
import { defaultAppUrl } from "../src/session/internal/RequestOrigin.ts"
import { defaultAddress } from "../src/mail/internal/SmtpDefaults.ts"

/** One line for each setting that production leaves at such a default; none in other environments. */
export const warnings = ({
  auth,
  environment,
  mail
}: Pick<AppConfig, "auth" | "environment" | "mail">): ReadonlyArray<string> => {
  if (environment !== "production") return []
  const { sender, transport } = mail
  const { address } = sender
  return [
    transport._tag === "File" && `MAIL_HOST is not set: e-mails are not sent but written to ${transport.folder}`,
    transport._tag !== "File" &&
      address === defaultAddress &&
      `MAIL_FROM is ${address}: mail servers refuse e-mails from there, or take them for spam`,
    auth.appUrl === defaultAppUrl && `APP_URL is ${auth.appUrl}: the links in e-mails lead to the reader's own machine`
  ].filter((line) => line !== false)
}
