// The e-mails in German.
import type { Texts } from "./MailTexts.ts"

const notMe = {
  action: "Das war ich nicht",
  doubt:
    "Der Link meldet alle Geräte ab und sendet Ihnen einen Link, mit dem Sie ein neues Passwort wählen. Waren Sie es selbst, müssen Sie nichts tun."
}

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
  passwordChanged: {
    subject: () => "Ihr Passwort wurde geändert",
    lead: (app) => `Das Passwort Ihres Kontos bei ${app} wurde geändert, und andere Geräte wurden abgemeldet.`,
    ...notMe
  },
  passwordReset: {
    subject: () => "Ihr Passwort wurde zurückgesetzt",
    lead: (app) =>
      `Für Ihr Konto bei ${app} wurde über einen Link in einer E-Mail ein neues Passwort gesetzt. Alle Geräte wurden abgemeldet.`,
    ...notMe
  },
  newSignIn: {
    subject: () => "Neue Anmeldung bei Ihrem Konto",
    lead: (app) => `Bei Ihrem Konto bei ${app} hat sich jemand von einem neuen Gerät oder Ort angemeldet.`,
    ...notMe
  },
  factorAdded: {
    subject: () => "Eine Anmeldemethode wurde hinzugefügt",
    lead: (app) => `Zu Ihrem Konto bei ${app} wurde ein zweiter Faktor oder ein Passkey hinzugefügt.`,
    ...notMe
  },
  factorRemoved: {
    subject: () => "Eine Anmeldemethode wurde entfernt",
    lead: (app) => `Aus Ihrem Konto bei ${app} wurde ein zweiter Faktor oder ein Passkey entfernt.`,
    ...notMe
  },
  emailChanged: {
    subject: () => "Ihre E-Mail-Adresse wurde geändert",
    lead: (app) => `Ihr Konto bei ${app} hat jetzt eine andere E-Mail-Adresse.`,
    ...notMe
  },
  theft: {
    subject: () => "Ihr Konto wurde mit einem kopierten Cookie benutzt",
    lead: (app) =>
      `Jemand hat eine Kopie des Cookies benutzt, mit dem Sie bei ${app} angemeldet bleiben. Alle Geräte wurden abgemeldet. Ändern Sie Ihr Passwort.`,
    ...notMe
  },
  lifetime: (ttl) => `Der Link funktioniert einmal. Er ist ${ttl} lang gültig.`
}
