// The messages that a program sends by e-mail, their templates and texts, and the service that sends them.
export * as MailMessage from "./MailMessage.ts"
export * as MailConfig from "./MailConfig.ts"
export * as MailTemplates from "./MailTemplates.ts"
export * as MailTexts from "./MailTexts.ts"
export * as Mailer from "./Mailer.ts"
