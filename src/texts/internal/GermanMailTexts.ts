// The e-mails in German.
import type { Texts } from "../../mail/MailTexts.ts"

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
  passwordSet: {
    subject: () => "Für Ihr Konto wurde ein Passwort festgelegt",
    lead: (app) =>
      `Ihr Konto bei ${app} hatte kein Passwort. Nun wurde eines festgelegt, mit dem man sich anmelden kann, und andere Geräte wurden abgemeldet.`,
    ...notMe
  },
  passwordRemoved: {
    subject: () => "Ihr Passwort wurde entfernt",
    lead: (app) =>
      `Das Passwort Ihres Kontos bei ${app} wurde entfernt. Die anderen Anmeldemöglichkeiten bleiben, und andere Geräte wurden abgemeldet.`,
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
  recoveryCodesRenewed: {
    subject: () => "Neue Wiederherstellungscodes wurden erstellt",
    lead: (app) =>
      `Für Ihr Konto bei ${app} wurden neue Wiederherstellungscodes erstellt. Die alten gelten nicht mehr.`,
    ...notMe
  },
  tokenCreated: {
    subject: () => "Ein neues API-Token wurde erstellt",
    lead: (app) => `Ein Programm kann jetzt mit einem neuen API-Token für Ihr Konto bei ${app} handeln.`,
    ...notMe
  },
  identityLinked: {
    subject: () => "Eine neue Anmeldung wurde verbunden",
    lead: (app) => `Ein Konto bei einem anderen Anbieter kann sich jetzt bei Ihrem Konto bei ${app} anmelden.`,
    ...notMe
  },
  identityUnlinked: {
    subject: () => "Eine Anmeldung wurde getrennt",
    lead: (app) => `Ein Konto bei einem anderen Anbieter kann sich nicht mehr bei Ihrem Konto bei ${app} anmelden.`,
    ...notMe
  },
  theft: {
    subject: () => "Ihr Konto wurde mit einem kopierten Cookie benutzt",
    lead: (app) =>
      `Jemand hat eine Kopie des Cookies benutzt, mit dem Sie bei ${app} angemeldet bleiben. Alle Geräte wurden abgemeldet. Ändern Sie Ihr Passwort.`,
    ...notMe
  },
  secondStepExhausted: {
    subject: () => "Jemand kennt Ihr Passwort",
    lead: (app) =>
      `Jemand hat das richtige Passwort Ihres Kontos bei ${app} eingegeben und dann alle Versuche des zweiten Schritts verbraucht. Die Anmeldung ist nicht gelungen.`,
    ...notMe
  },
  severalChanges: {
    subject: () => "Weitere Änderungen an Ihrem Konto",
    lead: (app) => `Das geschah mit Ihrem Konto bei ${app} nach der Änderung, von der wir Ihnen berichtet haben:`,
    ...notMe
  },
  emailChange: {
    subject: () => "Bestätigen Sie Ihre neue E-Mail-Adresse",
    lead: (app) =>
      `Jemand möchte diese Adresse für ein Konto bei ${app} verwenden. Bitte bestätigen Sie, dass sie Ihnen gehört.`,
    action: "Diese Adresse verwenden",
    doubt: "Wenn Sie das nicht waren, ignorieren Sie diese Nachricht: Das Konto behält seine alte Adresse."
  },
  emailTaken: {
    subject: () => "Diese Adresse hat bereits ein Konto",
    lead: (app) =>
      `Jemand möchte diese Adresse für ein Konto bei ${app} verwenden. Sie hat bereits ein Konto, deshalb wurde nichts geändert.`,
    action: "Bei diesem Konto anmelden",
    doubt: "Wenn Sie das nicht waren, müssen Sie nichts tun."
  },
  emailUndo: {
    subject: () => "Ihre E-Mail-Adresse wurde geändert",
    lead: (app) => `Ihr Konto bei ${app} hat jetzt eine andere E-Mail-Adresse. Diese gehört nicht mehr dazu.`,
    action: "Änderung rückgängig machen",
    doubt:
      "Wenn Sie das nicht waren, machen Sie es rückgängig: Alle Geräte werden abgemeldet, und Sie wählen ein neues Passwort."
  },
  deletionRequested: {
    subject: () => "Ihr Konto wird gelöscht",
    lead: (app) => `Jemand hat die Löschung Ihres Kontos bei ${app} verlangt, und alle Geräte wurden abgemeldet.`,
    action: "Konto behalten",
    doubt: "Wenn Sie das nicht waren, melden Sie sich an, behalten Sie das Konto und ändern Sie Ihr Passwort.",
    lifetime: (ttl) => `Es wird nach ${ttl} gelöscht. Bis dahin können Sie sich anmelden und es behalten.`
  },
  accountDeleted: {
    subject: () => "Ihr Konto wurde gelöscht",
    lead: (app) => `Ihr Konto bei ${app} und was es gespeichert hatte, wurde gelöscht, wie Sie es wollten.`,
    action: "Zur Website",
    doubt: "Dies ist die letzte Nachricht an diese Adresse."
  },
  factorRecovery: {
    subject: () => "Ihre zweiten Faktoren wurden als verloren gemeldet",
    lead: (app) =>
      `Jemand, der das Passwort Ihres Kontos bei ${app} kennt, will dessen Authenticator-Apps und Wiederherstellungscodes entfernen lassen.`,
    action: "Abbrechen",
    doubt:
      "Wenn Sie es waren, warten Sie auf die zweite Nachricht. Wenn nicht, brechen Sie ab und wählen Sie ein neues Passwort: Jemand kennt Ihres. Auch eine Anmeldung mit einem zweiten Faktor bricht es ab.",
    lifetime: (ttl) => `Bis dahin vergehen ${ttl}. Dann senden wir Ihnen einen Link, der sie entfernt.`
  },
  factorRecoveryReady: {
    subject: () => "Verlorene zweite Faktoren entfernen",
    lead: (app) =>
      `Wie Sie es wollten, können die Authenticator-Apps und Wiederherstellungscodes Ihres Kontos bei ${app} jetzt entfernt werden. Sie brauchen Ihr Passwort.`,
    action: "Zweite Faktoren entfernen",
    doubt: "Wenn Sie es nicht waren, öffnen Sie den Link, brechen Sie dort ab und wählen Sie ein neues Passwort."
  },
  lifetime: (ttl) => `Der Link funktioniert einmal. Er ist ${ttl} lang gültig.`
}
