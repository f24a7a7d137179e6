// The texts of sign-in with providers in German.
import type { ProviderTexts } from "../../auth/internal/providers/ProviderTexts.ts"

export const german: ProviderTexts = {
  or: "oder",
  signIn: (provider) => `Mit ${provider} anmelden`,
  signUp: (provider) => `Mit ${provider} registrieren`,
  confirm: (provider) => `Mit ${provider} bestätigen`,
  expired:
    "Diese Anmeldung hat zu lange gedauert oder wurde in einem anderen Fenster begonnen. Versuchen Sie es noch einmal.",
  unavailable: (provider) =>
    `${provider} antwortet nicht. Versuchen Sie es später noch einmal, oder melden Sie sich anders an.`,
  refused: (provider) =>
    `${provider} hat Sie nicht angemeldet. Versuchen Sie es noch einmal, oder melden Sie sich anders an.`,
  connect: (provider, label) =>
    `Zu dieser Adresse gibt es ein Konto. Melden Sie sich einmal an, dann wird ${provider} (${label}) damit verbunden.`,
  taken: (provider) => `Dieses Konto bei ${provider} ist mit einem anderen Konto verbunden.`,
  inUse: "Diese Identität ist mit einem anderen Konto verbunden.",
  complete: {
    title: "Konto vervollständigen",
    lead: (provider) => `${provider} hat uns gesagt, wer Sie sind. Wir brauchen noch ein paar Angaben.`,
    button: "Konto anlegen"
  },
  identities: {
    title: "Verbundene Konten",
    lead: "Melden Sie sich mit einem Konto an, das Sie anderswo haben.",
    manage: "Verbundene Konten verwalten",
    existing: "Verbunden",
    none: "Es ist nichts verbunden.",
    created: "verbunden",
    lastUsed: "zuletzt verwendet",
    neverUsed: "nie verwendet",
    link: "Weiteres Konto verbinden",
    add: (provider) => `${provider} verbinden`,
    remove: "Trennen",
    linked: (provider) => `${provider} wurde verbunden.`,
    removed: "Das Konto wurde getrennt. Seine Sitzungen und Ihre gemerkten Geräte wurden abgemeldet."
  }
}
