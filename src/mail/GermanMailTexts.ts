// The e-mails in German.
import type { Texts } from "./MailTexts.ts"

export const german: Texts = {
  verification: {
    subject: () => "Bestätigen Sie Ihre E-Mail-Adresse",
    lead: (app) =>
      `Mit dieser Adresse wurde ein Konto bei ${app} angelegt. Bitte bestätigen Sie, dass sie Ihnen gehört.`,
    action: "Adresse bestätigen",
    doubt: "Wenn Sie kein Konto angelegt haben, ignorieren Sie diese Nachricht: Die Adresse bleibt unbestätigt."
  },
  recovery: {
    subject: () => "Neues Passwort wählen",
    lead: (app) => `Für Ihr Konto bei ${app} wurde ein neues Passwort angefordert.`,
    action: "Neues Passwort wählen",
    doubt: "Wenn Sie das nicht waren, ignorieren Sie diese Nachricht: Ihr Passwort bleibt, wie es ist."
  },
  lifetime: (ttl) => `Der Link funktioniert einmal. Er ist ${ttl} lang gültig.`
}
