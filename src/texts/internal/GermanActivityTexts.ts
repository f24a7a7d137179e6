// The texts of the page of an account's activity, in German.
import type { ActivityTexts } from "../../auth/internal/ActivityTexts.ts"

const factors = {
  totp: "einem Einmalcode",
  recovery_code: "einem Wiederherstellungscode",
  passkey: "einem Passkey",
  password: "dem Passwort",
  provider: "einem Anbieter"
}

const methodOf = (by: string): string => (by === "password" || by === "passkey" || by === "provider" ? factors[by] : by)

const names = { totp: "Einmalcode", recovery_code: "Wiederherstellungscode", passkey: "Passkey" }

export const german: ActivityTexts = {
  title: "Aktivität Ihres Kontos",
  lead: "Was mit Ihrem Konto geschehen ist, das Neueste zuerst. Wenn Sie etwas nicht wiedererkennen, ändern Sie Ihr Passwort.",
  open: "Aktivität anzeigen",
  none: "Es ist noch nichts geschehen.",
  older: "Ältere",
  newest: "Zurück zum Neuesten",
  back: "Zurück zu Ihrem Konto",
  failed: "fehlgeschlagen",
  actors: { operator: "durch die Administration", system: "automatisch" },
  ended: {
    session: "Eine andere Sitzung wurde abgemeldet.",
    device: "Ein vertrauenswürdiges Gerät wurde entfernt.",
    others: "Alle anderen Geräte wurden abgemeldet.",
    all: "Alle Geräte wurden abgemeldet."
  },
  events: {
    SignedUp: () => "Das Konto wurde angelegt.",
    SignedIn: ({ by, factor }) =>
      factor === undefined ? `Anmeldung mit ${methodOf(by)}.` : `Anmeldung mit ${methodOf(by)} und ${factors[factor]}.`,
    SignInFailed: () => "Jemand hat versucht, sich mit einem falschen Passwort anzumelden.",
    SecondStepExhausted: () => "Das Passwort stimmte, und alle Versuche des zweiten Schritts wurden verbraucht.",
    FactorFailed: ({ factor }) => `Das Passwort stimmte, der zweite Faktor nicht: ${names[factor]}.`,
    SignedOut: () => "Abmeldung.",
    DeviceTrusted: () => "Das Gerät darf sich von selbst anmelden.",
    PasswordChanged: () => "Das Passwort wurde geändert.",
    PasswordReset: () => "Das Passwort wurde über einen Link in einer E-Mail zurückgesetzt.",
    PasswordSet: () => "Ein Passwort wurde festgelegt.",
    PasswordRemoved: () => "Das Passwort wurde entfernt.",
    EmailVerified: () => "Die E-Mail-Adresse wurde bestätigt.",
    EmailChangeRequested: () => "Eine Änderung der E-Mail-Adresse wurde angefordert.",
    EmailChangeCancelled: () => "Die Änderung der E-Mail-Adresse wurde abgebrochen.",
    EmailChanged: () => "Die E-Mail-Adresse wurde geändert.",
    EmailChangeUndone: () => "Die Änderung der E-Mail-Adresse wurde rückgängig gemacht.",
    FactorAdded: ({ factor }) => `Ein zweiter Faktor wurde hinzugefügt: ${names[factor]}.`,
    FactorRemoved: ({ factor }) => `Ein zweiter Faktor wurde entfernt: ${names[factor]}.`,
    FactorRecoveryRequested: () => "Eine Wiederherstellung wurde angefordert: Alle zweiten Faktoren seien verloren.",
    FactorRecoveryCancelled: ({ by }) =>
      by === "link"
        ? "Die Wiederherstellung wurde über einen Link in einer E-Mail abgebrochen."
        : "Die Wiederherstellung ist beendet: Ein zweiter Faktor wurde verwendet.",
    FactorRecoveryCompleted: () => "Die Wiederherstellung ist abgeschlossen: Alle zweiten Faktoren wurden entfernt.",
    RecoveryCodesRenewed: () => "Neue Wiederherstellungscodes wurden erstellt.",
    RecoveryCodeUsed: ({ left }) => `Ein Wiederherstellungscode wurde verwendet. Verbleibende Codes: ${left}.`,
    PasskeyAdded: ({ name }) => `Der Passkey „${name}“ wurde hinzugefügt.`,
    PasskeyRemoved: ({ name }) => `Der Passkey „${name}“ wurde entfernt.`,
    IdentityLinked: ({ label, provider }) => `${provider} wurde verbunden: ${label}.`,
    IdentityUnlinked: ({ label, provider }) => `${provider} wurde getrennt: ${label}.`,
    TakenOver: ({ provider }) =>
      `${provider} hat die E-Mail-Adresse bestätigt. Passwort, Geräte und Anmeldewege von vorher gelten nicht mehr.`,
    TokenCreated: ({ name }) => `Das API-Token „${name}“ wurde erstellt.`,
    TokenRevoked: ({ name }) =>
      name === undefined ? "Alle API-Token wurden widerrufen." : `Das API-Token „${name}“ wurde widerrufen.`,
    Theft: () => "Ein kopiertes Cookie wurde benutzt. Alle Geräte wurden abgemeldet.",
    Confirmed: ({ by }) => `Erneut bestätigt mit ${methodOf(by)}.`,
    DeletionRequested: () => "Die Löschung des Kontos wurde beantragt.",
    DeletionCancelled: () => "Die Löschung des Kontos wurde abgebrochen.",
    AccountDeleted: () => "Das Konto wurde gelöscht.",
    AccountExported: () => "Die Daten des Kontos wurden exportiert.",
    ReportedNotMe: () => "Gemeldet als „Das war ich nicht“. Alle Geräte wurden abgemeldet."
  }
}
