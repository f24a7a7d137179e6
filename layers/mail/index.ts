// Sends e-mails by SMTP, writes them to files, or queues them in the database.
export * as ConfiguredMailer from "./ConfiguredMailer.ts"
export * as FileMailer from "./FileMailer.ts"
export * as QueuedMailer from "./QueuedMailer.ts"
export * as SmtpMailer from "./SmtpMailer.ts"
