// The texts of passkeys in German.
import type { PasskeyTexts } from "../../auth/internal/passkeys/PasskeyTexts.ts"

export const german: PasskeyTexts = {
  title: "Passkeys verwalten",
  lead: "Mit einem Passkey melden Sie sich mit Fingerabdruck, Gesicht oder der PIN Ihres Geräts an. Keine andere Website kann danach fragen, und Sie müssen sich nichts merken.",
  manage: "Passkeys öffnen",
  existing: "Ihre Passkeys",
  none: "Sie haben keine Passkeys.",
  created: "erstellt",
  lastUsed: "zuletzt verwendet",
  neverUsed: "nie verwendet",
  synced: "synchronisiert",
  rename: "Umbenennen",
  saveName: "Namen speichern",
  renamed: "Der Passkey hat einen neuen Namen.",
  remove: "Entfernen",
  removed: "Der Passkey wurde entfernt. Löschen Sie ihn auch auf Ihrem Gerät.",
  create: "Neuer Passkey",
  name: "Bezeichnung",
  nameHint: "Daran erkennen Sie ihn, zum Beispiel das Gerät, auf dem er ist.",
  button: "Passkey erstellen",
  done: "Ihr Passkey ist bereit. Ab jetzt können Sie sich damit anmelden.",
  tooMany: (limit) => `Sie haben ${limit} Passkeys. Entfernen Sie einen, den Sie nicht mehr verwenden.`,
  unverified: "Bestätigen Sie zuerst Ihre E-Mail-Adresse. Danach können Sie einen Passkey erstellen.",
  unsupported:
    "Passkeys brauchen Skripte und einen Browser, der sie unterstützt. Mit Ihrem Passwort können Sie sich weiterhin anmelden.",
  failed: "Es wurde kein Passkey verwendet. Versuchen Sie es noch einmal oder mit einem anderen Gerät.",
  known: "Dieses Gerät hat bereits einen Passkey Ihres Kontos.",
  refused: "Dieser Passkey wurde nicht akzeptiert. Versuchen Sie es noch einmal.",
  signIn: "Mit Passkey anmelden",
  confirm: "Mit Passkey bestätigen",
  or: "oder"
}
