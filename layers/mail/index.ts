// Public exports: live layers of mail.
export * as ConfiguredMailer from "./ConfiguredMailer.ts"
export * as FileMailer from "./FileMailer.ts"
export * as MailQueueCheck from "./MailQueueCheck.ts"
export * as QueuedMailer from "./QueuedMailer.ts"
export * as SmtpMailer from "./SmtpMailer.ts"
export * as SqlMailQueue from "./SqlMailQueue.ts"
