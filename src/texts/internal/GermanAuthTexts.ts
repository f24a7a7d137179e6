// The pages, forms and messages of authentication in German.
import { german as activity } from "./GermanActivityTexts.ts"
import type { Texts } from "../../auth/AuthTexts.ts"
import type { Texts as FormTexts } from "../../session/FormTexts.ts"
import { german as providers } from "./GermanProviderTexts.ts"
import { german as passkeys } from "./GermanPasskeyTexts.ts"

export const german: Texts = {
  fields: {
    email: "E-Mail-Adresse",
    password: "Passwort",
    currentPassword: "Aktuelles Passwort",
    newPassword: "Neues Passwort",
    again: (label) => `${label} wiederholen`,
    passwordHint: (minCharacters) =>
      `Mindestens ${minCharacters} Zeichen. Einige ungewöhnliche Wörter merkt man sich leichter als Sonderzeichen.`,
    remember: "Auf diesem Gerät angemeldet bleiben"
  },
  login: {
    title: "Anmelden",
    button: "Anmelden",
    forgot: "Passwort vergessen?",
    noAccount: "Noch kein Konto?",
    signUp: "Registrieren",
    required: "Melden Sie sich an, um fortzufahren.",
    toVerify: "Melden Sie sich an, um Ihre E-Mail-Adresse zu bestätigen.",
    refused: "Die Zugangsdaten sind ungültig.",
    done: "Willkommen zurück!",
    signedOut: "Sie haben sich abgemeldet."
  },
  loginFactor: {
    title: "Bestätigung in zwei Schritten",
    lead: "Geben Sie den Code aus Ihrer Authenticator-App ein.",
    code: "Code",
    codeHint: "Die sechs Ziffern, die Ihre Authenticator-App anzeigt, oder einer Ihrer Wiederherstellungscodes.",
    button: "Weiter",
    wrong: "Dieser Code ist falsch oder wurde schon verwendet.",
    startOver: "Melden Sie sich erneut an: Die Bestätigung hat zu lange gedauert oder hatte zu viele Versuche.",
    again: "Erneut anmelden"
  },
  factorRecovery: {
    link: "Ich habe meine zweiten Faktoren verloren",
    title: "Zweite Faktoren verloren",
    lead: (delay) =>
      `Wenn Sie weder Ihre Authenticator-App noch einen Wiederherstellungscode haben, können wir beides aus Ihrem Konto entfernen. Wir benachrichtigen jetzt Ihre E-Mail-Adresse und senden nach ${delay} einen Link dorthin. Eine Anmeldung mit einem zweiten Faktor bricht das ab.`,
    unverified:
      "Die E-Mail-Adresse Ihres Kontos ist nicht bestätigt, deshalb können wir Ihre zweiten Faktoren nicht entfernen. Wenden Sie sich an den Betreiber dieser Website.",
    button: "Link anfordern",
    again: "Link noch einmal senden",
    back: "Zurück zur Bestätigung",
    waiting: (when) => `Wir haben Ihnen eine E-Mail gesendet. Der Link folgt nach diesem Zeitpunkt: ${when}.`,
    ready: "Wir haben Ihnen den Link gesendet. Öffnen Sie ihn und geben Sie dort Ihr Passwort ein.",
    undelivered:
      "Wir konnten keine E-Mail an Ihre Adresse senden, deshalb ist nichts geschehen. Versuchen Sie es später noch einmal.",
    cancelTitle: "Wiederherstellung abbrechen",
    cancelLead:
      "Ihre zweiten Faktoren bleiben, wie sie sind. Wenn nicht Sie das angefordert haben, kennt jemand Ihr Passwort.",
    cancelButton: "Wiederherstellung abbrechen",
    cancelled:
      "Die Wiederherstellung ist abgebrochen. Wenn nicht Sie sie angefordert haben, wählen Sie jetzt ein neues Passwort.",
    completeTitle: "Zweite Faktoren entfernen",
    completeLead:
      "Ihre Authenticator-Apps und Wiederherstellungscodes werden entfernt und alle Geräte abgemeldet. Melden Sie sich danach mit Ihrem Passwort an und fügen Sie einen neuen zweiten Faktor hinzu.",
    passkeys: "Meine Passkeys sind auch verloren: entfernen",
    completeButton: "Zweite Faktoren entfernen",
    withoutPassword:
      "Dieser Schritt fragt nach einem Passwort, und Ihr Konto hat keines. Wählen Sie zuerst eines per E-Mail und öffnen Sie dann diesen Link noch einmal.",
    choosePassword: "Passwort per E-Mail wählen",
    notMe: "Das habe ich nicht angefordert: abbrechen",
    done: "Ihre zweiten Faktoren sind entfernt. Melden Sie sich an und fügen Sie einen neuen hinzu.",
    expired: "Dieser Link ist ungültig oder abgelaufen."
  },
  register: {
    title: "Registrieren",
    button: "Konto anlegen",
    haveAccount: "Sie haben schon ein Konto?",
    signIn: "Anmelden",
    done: "Ihr Konto ist angelegt! Den Bestätigungslink finden Sie in Ihrem Postfach."
  },
  forgot: {
    title: "Passwort vergessen?",
    lead: "Nennen Sie uns Ihre E-Mail-Adresse. Wir senden Ihnen einen Link, mit dem Sie ein neues Passwort wählen können.",
    button: "Link senden",
    back: "Zurück zur Anmeldung",
    done: "Falls es ein Konto mit dieser E-Mail-Adresse gibt, haben wir einen Link zum Zurücksetzen des Passworts gesendet."
  },
  reset: {
    title: "Neues Passwort wählen",
    lead: "Alle Geräte, auf denen Sie angemeldet sind, werden abgemeldet.",
    button: "Neues Passwort speichern",
    done: "Ihr Passwort ist geändert! Melden Sie sich mit dem neuen Passwort an.",
    expired: "Dieser Link zum Zurücksetzen ist ungültig oder abgelaufen."
  },
  verify: {
    done: "Ihre E-Mail-Adresse ist bestätigt!",
    expired: "Dieser Bestätigungslink ist ungültig oder abgelaufen.",
    already: "Ihre E-Mail-Adresse ist bereits bestätigt.",
    sent: "Der Bestätigungslink ist unterwegs. Sehen Sie in Ihrem Postfach nach."
  },
  password: {
    title: "Passwort ändern",
    lead: "Andere Geräte werden abgemeldet.",
    button: "Passwort ändern",
    back: "Zurück zu Ihrem Konto",
    done: "Ihr Passwort ist geändert. Andere Geräte wurden abgemeldet."
  },
  confirm: {
    title: "Bestätigen Sie, dass Sie es sind",
    lead: "Sie sind angemeldet. Vor dieser Änderung fragen wir noch einmal nach Ihrem Passwort.",
    leadWithCode:
      "Sie sind angemeldet. Vor dieser Änderung fragen wir noch einmal nach Ihrem Passwort oder einem Code.",
    button: "Bestätigen",
    buttonWithCode: "Mit Code bestätigen",
    or: "oder",
    required: "Bestätigen Sie, dass Sie es sind, um fortzufahren.",
    done: "Bestätigt.",
    leadWithoutPassword: "Sie sind angemeldet. Bestätigen Sie diese Änderung mit einer Ihrer Anmeldemöglichkeiten.",
    leadWithNothing:
      "Sie sind angemeldet. Ihr Konto hat weder Passwort noch Passkey oder Authentifizierungs-App, um diese Änderung zu bestätigen: Melden Sie sich erneut an und nehmen Sie sie in den nächsten Minuten vor.",
    signInAgain: "Abmelden und erneut anmelden"
  },
  methods: {
    title: "Anmeldemöglichkeiten",
    lead: "Behalten Sie mehr als eine, damit ein verlorenes Gerät Sie nicht aussperrt.",
    last: "Das ist Ihre einzige Anmeldemöglichkeit. Fügen Sie zuerst eine andere hinzu.",
    states: { set: "gesetzt", locked: "gesperrt", none: "nicht gesetzt" },
    passkeys: "Passkeys",
    identities: "Verknüpfte Konten",
    none: "keine",
    set: {
      title: "Passwort festlegen",
      lead: "Sie können sich dann auch mit Ihrer E-Mail-Adresse und diesem Passwort anmelden. Andere Geräte werden abgemeldet.",
      button: "Passwort festlegen",
      done: "Ihr Passwort ist festgelegt. Andere Geräte wurden abgemeldet.",
      exists: "Ihr Konto hat ein Passwort."
    },
    remove: {
      title: "Passwort entfernen",
      lead: "Danach kann sich niemand mehr mit einem Passwort anmelden. Ihre anderen Anmeldemöglichkeiten bleiben, und andere Geräte werden abgemeldet.",
      button: "Passwort entfernen",
      done: "Ihr Passwort ist entfernt. Andere Geräte wurden abgemeldet."
    },
    locked: {
      title: "Ihr Passwort ist gesperrt",
      lead: "Es wurde gesperrt, als eine Änderung mit „Das war ich nicht“ gemeldet wurde. Wählen Sie ein neues über einen Link, den wir an Ihre E-Mail-Adresse senden.",
      button: "Link zum Zurücksetzen senden"
    }
  },
  emailChange: {
    title: "E-Mail-Adresse ändern",
    lead: (email) =>
      `Ihr Konto hat die Adresse ${email}. Sie gilt, bis Sie den Link öffnen, den wir an die neue senden.`,
    field: "Neue E-Mail-Adresse",
    button: "Link senden",
    same: "Ihr Konto hat diese Adresse bereits.",
    sent: (email) =>
      `Wir haben eine Nachricht an ${email} gesendet. Öffnen Sie den Link darin, um Ihre Adresse zu ändern.`,
    pending: (email) => `Die Änderung zu ${email} wartet auf den Link in unserer Nachricht.`,
    cancel: "Diese Änderung abbrechen",
    cancelled: "Die Änderung ist abgebrochen. Ihre E-Mail-Adresse ist unverändert.",
    manage: "E-Mail-Adresse ändern",
    linkTitle: "Neue E-Mail-Adresse bestätigen",
    linkLead: (email) => `Ihr Konto bekommt die Adresse ${email}. Die alte Adresse wird benachrichtigt.`,
    linkButton: "Diese Adresse verwenden",
    done: "Ihre E-Mail-Adresse ist geändert.",
    expired: "Dieser Link ist ungültig oder abgelaufen. Ihre E-Mail-Adresse ist unverändert.",
    taken: "Diese E-Mail-Adresse ist bereits registriert."
  },
  emailUndo: {
    linkTitle: "Änderung der E-Mail-Adresse rückgängig machen",
    linkLead: (email) =>
      `Ihr Konto bekommt die Adresse ${email} zurück. Alle Geräte werden abgemeldet, und wir senden Ihnen einen Link für ein neues Passwort.`,
    linkButton: "Rückgängig machen",
    done: "Ihre E-Mail-Adresse ist wiederhergestellt. Wir haben Ihnen einen Link für ein neues Passwort gesendet.",
    expired: "Dieser Link ist ungültig oder abgelaufen.",
    taken: "Ein anderes Konto verwendet diese Adresse inzwischen."
  },
  deletion: {
    title: "Konto löschen",
    lead: (days) =>
      `Ihr Konto und was es speichert, wird nach ${days} gelöscht. Alle Geräte werden jetzt abgemeldet. Bis dahin können Sie sich anmelden und es behalten.`,
    button: "Mein Konto löschen",
    summary: "Ihr Konto und alles, was damit gespeichert ist. Eine Zeit lang können Sie es sich anders überlegen.",
    manage: "Konto löschen",
    requested: (day) => `Ihr Konto wird am ${day} gelöscht. Melden Sie sich vorher an, um es zu behalten.`,
    pending: (day) => `Dieses Konto wird am ${day} gelöscht.`,
    keep: "Mein Konto behalten",
    kept: "Ihr Konto bleibt bestehen."
  },
  exported: {
    title: "Ihre Daten",
    lead: "Alles, was zu Ihrem Konto gespeichert ist, als Datei.",
    button: "Meine Daten herunterladen"
  },
  account: {
    title: "Ihr Konto",
    profile: "Profil",
    email: "E-Mail-Adresse",
    verified: "bestätigt",
    unverified: "nicht bestätigt",
    confirm: "Wir haben Ihnen einen Link gesendet, mit dem Sie bestätigen, dass diese Adresse Ihnen gehört.",
    resend: "Bestätigungslink erneut senden",
    password: "Passwort",
    changePassword: "Passwort ändern",
    sessions: "Angemeldet auf",
    devices: "Vertrauenswürdige Geräte",
    devicesLead:
      "Diese Geräte melden sich von selbst wieder an. Entfernen Sie eines, muss dort das Passwort eingegeben werden.",
    signOut: "Abmelden",
    forget: "Entfernen",
    signOutOthers: "Alle anderen Geräte abmelden",
    signOutEverywhere: "Überall abmelden",
    sessionEnded: "Diese Sitzung wurde abgemeldet.",
    deviceForgotten: "Dieses Gerät muss sich neu anmelden.",
    othersEnded: "Alle anderen Geräte wurden abgemeldet.",
    everywhereEnded: "Sie sind auf allen Geräten abgemeldet."
  },
  tokens: {
    title: "API-Token",
    lead: "Mit einem Token handelt ein Programm für Sie, im Rahmen der Rechte, die Sie wählen. Behandeln Sie es wie ein Passwort.",
    manage: "API-Token verwalten",
    existing: "Ihre Token",
    none: "Sie haben keine API-Token.",
    created: "erstellt",
    lastUsed: "zuletzt verwendet",
    neverUsed: "nie verwendet",
    expires: "gültig bis",
    revoke: "Widerrufen",
    revoked: "Das Token wurde widerrufen.",
    create: "Neues Token",
    name: "Name",
    nameHint: "Wofür ist es? Zum Beispiel: nächtliche Sicherung.",
    scopes: "Was es darf",
    lifetime: "Läuft ab nach",
    button: "Token erstellen",
    done: "Ihr neues Token",
    doneHint: "Kopieren Sie es jetzt. Es wird nur dieses eine Mal angezeigt.",
    secret: "Token",
    tooMany: (limit) => `Sie haben ${limit} Token. Widerrufen Sie eines, das nicht mehr verwendet wird.`,
    keepAll: "Meine API-Token behalten: Programme, die sie verwenden, arbeiten weiter"
  },
  passkeys,
  providers,
  factors: {
    title: "Zweiter Faktor",
    required:
      "Ihr Konto braucht einen zweiten Faktor: Fügen Sie eine Authenticator-App oder einen Passkey hinzu, um fortzufahren.",
    lead: "Nach dem Passwort werden Sie nach einem Code gefragt, den nur Ihr Gerät kennt. Ein gestohlenes Passwort allein nützt dann nichts.",
    manage: "Zweite Faktoren verwalten",
    apps: "Authenticator-Apps",
    none: "Sie haben keine Authenticator-App. Ihr Passwort allein genügt zur Anmeldung.",
    added: "hinzugefügt",
    lastUsed: "zuletzt verwendet",
    remove: "Entfernen",
    removed: "Die App wurde entfernt.",
    add: "Authenticator-App hinzufügen",
    addLead:
      "Scannen Sie das Bild mit einer Authenticator-App, oder tippen Sie den Schlüssel ein. Geben Sie dann den Code ein, den sie anzeigt.",
    picture: "QR-Code mit dem Schlüssel Ihres Kontos",
    secret: "Schlüssel",
    secretHint: "Für eine App, die nicht scannen kann: ein zeitbasierter Schlüssel.",
    name: "Bezeichnung",
    nameHint: "Wo ist die App? Zum Beispiel: mein Telefon.",
    code: "Code der App",
    codeHint: "Die sechs Ziffern, die die App gerade anzeigt.",
    button: "Diese App hinzufügen",
    done: "Ab jetzt werden Sie nach dem Passwort nach einem Code gefragt.",
    expired: "Diese Seite ist zu alt oder wurde schon gesendet. Scannen Sie das neue Bild.",
    tooMany: (limit) => `Sie haben ${limit} Authenticator-Apps. Entfernen Sie eine, die Sie nicht mehr verwenden.`,
    recoveryCodes: "Wiederherstellungscodes",
    recoveryLead: "Jeder von ihnen ersetzt nach dem Passwort einmal Ihr Gerät, wenn Sie es verloren haben.",
    recoveryLeft: (left, total) => `${left} von ${total} sind übrig.`,
    renew: "Neue Wiederherstellungscodes erstellen",
    newCodes: "Ihre Wiederherstellungscodes",
    newCodesHint:
      "Drucken Sie die Codes jetzt aus, oder schreiben Sie sie auf. Sie werden nur dieses eine Mal angezeigt, und ältere gelten nicht mehr.",
    back: "Zurück zu den zweiten Faktoren",
    devices: "Vertraute Geräte",
    everyDevice: "Auch auf vertrauten Geräten nach einem Code fragen",
    everyDeviceHint: "Sonst gilt ein Gerät, auf dem Sie angemeldet bleiben, als Nachweis.",
    save: "Speichern",
    saved: "Ihre Wahl wurde gespeichert."
  },
  lastSeen: {
    own: "dieses Gerät",
    activeNow: "jetzt aktiv",
    justNow: "gerade eben",
    lastSeen: "zuletzt aktiv",
    signedIn: "angemeldet",
    trusted: "vertrauenswürdig",
    unknownDevice: "Unbekanntes Gerät",
    browserOn: (browser, system) => `${browser} unter ${system}`,
    deviceAt: (device, address) => `${device} mit der Adresse ${address}`
  },
  activity,
  notMe: {
    title: "Waren Sie das nicht?",
    lead: "Wir melden alle Geräte und Programme ab, sperren Ihr Passwort und senden Ihnen einen Link, mit dem Sie ein neues wählen.",
    button: "Das war ich nicht",
    hint: "Waren Sie es selbst, schließen Sie diese Seite: Es hat sich nichts geändert.",
    done: "Alle Geräte wurden abgemeldet. In Ihrem Posteingang ist der Link, mit dem Sie ein neues Passwort wählen.",
    expired:
      "Dieser Link ist ungültig, wurde benutzt oder durch den einer neueren Nachricht ersetzt. Hier können Sie ein neues Passwort anfordern."
  }
}

export const germanForms: FormTexts = {
  emailMissing: "Geben Sie Ihre E-Mail-Adresse ein.",
  emailInvalid: "Das ist keine E-Mail-Adresse.",
  emailTaken: "Diese E-Mail-Adresse ist bereits registriert.",
  taken: "Das ist bereits vergeben. Wählen Sie etwas anderes.",
  passwordMissing: "Geben Sie Ihr Passwort ein.",
  passwordTooShort: (minCharacters) => `Verwenden Sie mindestens ${minCharacters} Zeichen.`,
  passwordTooLong: (maxBytes) => `Verwenden Sie höchstens ${maxBytes} Byte.`,
  passwordNotText: "Verwenden Sie nur vollständige Zeichen.",
  passwordIsEmail: "Verwenden Sie etwas anderes als Ihre E-Mail-Adresse.",
  passwordCommon: "Dieses Passwort gehört zu den häufigsten. Wählen Sie ein anderes.",
  passwordGuessable: "Verwenden Sie mehr als Ihren Namen, Ihre Adresse oder den Namen dieser Seite.",
  passwordBreached: "Dieses Passwort steht in einer Liste gestohlener Passwörter. Wählen Sie ein anderes.",
  passwordMore: (characters) => `Es fehlen noch Zeichen: ${characters}.`,
  passwordGood: "Lang genug.",
  passwordsDiffer: "Die beiden Passwörter stimmen nicht überein.",
  passwordWrong: "Das aktuelle Passwort ist falsch.",
  passkeyNameMissing: "Geben Sie dem Passkey einen Namen.",
  tokenNameMissing: "Geben Sie dem Token einen Namen.",
  tokenNameTooLong: "Verwenden Sie einen Namen mit höchstens 100 Zeichen.",
  tokenScopesMissing: "Wählen Sie, was das Token darf.",
  tokenLifetimeInvalid: "Wählen Sie eine der Laufzeiten.",
  factorCodeMissing: "Geben Sie einen Code ein.",
  factorCodeWrong: "Das ist nicht der Code, den die App gerade anzeigt. Geht die Uhr des Geräts richtig?",
  factorNameMissing: "Geben Sie der App einen Namen.",
  factorNameTooLong: "Verwenden Sie für die App einen Namen mit höchstens 100 Zeichen."
}
