// Public exports: schemas, errors, tags and pure rules of mail.
export * as MailMessage from "./MailMessage.ts"
export * as MailQueue from "./MailQueue.ts"
export * as MailConfig from "./MailConfig.ts"
export * as MailTemplates from "./MailTemplates.ts"
export * as MailTexts from "./MailTexts.ts"
export * as MailWorker from "./MailWorker.ts"
export * as Mailer from "./Mailer.ts"
