// The layout, forms, statuses and refusals in German.
import type { Texts } from "../../http/HttpTexts.ts"

export const german: Texts = {
  layout: {
    skip: "Zum Inhalt springen",
    navigation: "Hauptnavigation",
    signIn: "Anmelden",
    signUp: "Registrieren",
    signOut: "Abmelden",
    account: "Konto",
    home: "Zurück zur Startseite",
    errorTitle: (title) => `Fehler: ${title}`,
    requestId: (id) => `Anfrage ${id}`
  },
  reveal: {
    show: "Anzeigen",
    hide: "Verbergen",
    showLabel: (field) => `${field} anzeigen`,
    hideLabel: (field) => `${field} verbergen`
  },
  form: {
    invalid: "Bitte prüfen Sie Ihre Angaben.",
    repeatedField: "Senden Sie dieses Feld nur einmal.",
    invalidField: "Diese Angabe ist ungültig.",
    missingFile: "Wählen Sie eine Datei aus.",
    emptyFile: "Die Datei ist leer.",
    fileTooLarge: (size) => `Die Datei ist größer als ${size.replace("bytes", "Byte")}.`,
    wrongFileType: (types) => `Die Datei hat keinen der erlaubten Typen: ${types}.`,
    tooManyFiles: (limit) => (limit === 1 ? "Senden Sie nur eine Datei." : `Senden Sie höchstens ${limit} Dateien.`)
  },
  statuses: {
    200: "In Ordnung",
    201: "Angelegt",
    204: "Kein Inhalt",
    303: "Siehe anderswo",
    304: "Nicht verändert",
    400: "Ungültige Anfrage",
    401: "Nicht angemeldet",
    402: "Zahlung erforderlich",
    403: "Zugriff verweigert",
    404: "Nicht gefunden",
    405: "Methode nicht erlaubt",
    406: "Nicht in diesem Format verfügbar",
    408: "Zeitüberschreitung der Anfrage",
    409: "Konflikt",
    410: "Nicht mehr vorhanden",
    411: "Länge erforderlich",
    412: "Vorbedingung nicht erfüllt",
    413: "Inhalt zu groß",
    414: "Adresse zu lang",
    415: "Medientyp nicht unterstützt",
    417: "Erwartung nicht erfüllt",
    421: "Falsch zugestellte Anfrage",
    422: "Inhalt nicht verarbeitbar",
    423: "Gesperrt",
    426: "Protokollwechsel erforderlich",
    428: "Vorbedingung erforderlich",
    429: "Zu viele Anfragen",
    431: "Kopfzeilen der Anfrage zu groß",
    451: "Aus rechtlichen Gründen nicht verfügbar",
    500: "Interner Serverfehler",
    501: "Nicht umgesetzt",
    502: "Fehlerhafte Antwort eines anderen Servers",
    503: "Dienst nicht verfügbar",
    504: "Zeitüberschreitung eines anderen Servers",
    505: "HTTP-Version nicht unterstützt"
  },
  refusal: {
    csrf: "Ungültiges CSRF-Token",
    tooManyRequests: (wait) => `Zu viele Anfragen. Versuchen Sie es in ${wait} erneut.`,
    tooManyParts: (limit) => `Das Formular hat mehr als ${limit} Teile.`,
    mediaType: "Senden Sie application/x-www-form-urlencoded oder application/json.",
    invalidBody: "Der Inhalt der Anfrage ist ungültig.",
    invalidAddress: "Der Pfad oder die Parameter der Anfrage sind ungültig.",
    invalidCursor: (_reason) =>
      "Der Cursor ist ungültig. Übernehmen Sie ihn aus der vorigen Antwort oder lassen Sie ihn leer, um vorn zu beginnen.",
    invalidList: (_reason) => "Diese Liste lässt sich so nicht abfragen.",
    invalidParameter: (name, problem, _expected) =>
      ({
        sort: `Der Parameter „${name}“ nennt keine Reihenfolge dieser Liste.`,
        value: `Der Parameter „${name}“ hat keinen gültigen Wert.`,
        long: `Der Parameter „${name}“ ist zu lang.`,
        repeated: `Der Parameter „${name}“ darf nur einmal vorkommen.`
      })[problem],
    listFormats: (types) => `Diese Liste gibt es als ${types}.`
  },
  body: {
    notUtf8: "Der Inhalt ist nicht in UTF-8 kodiert.",
    notJson: "Der Inhalt ist kein JSON-Objekt.",
    endedEarly: "Der Inhalt endet zu früh.",
    unknownFile: "Das Formular hat kein Dateifeld mit diesem Namen.",
    noBoundary: "Dem Medientyp fehlt eine gültige Trennzeile (boundary).",
    malformedParts: "Die Teile des Inhalts sind fehlerhaft.",
    fieldTooLong: "Ein Feld ist zu lang."
  }
}
