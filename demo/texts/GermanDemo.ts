// The demo's own pages in German.
import type { Texts } from "./DemoTexts.ts"

export const german: Texts = {
  layout: {
    articles: "Artikel",
    metrics: "Messwerte",
    footer: [
      "Eine Vorführung von ",
      ": Anmeldung, Beobachtung, Fehlerbehandlung und seitenweise Listen als Layer von Effect."
    ]
  },
  home: {
    title: "Willkommen",
    heading: "Ein Web-Framework für Effect, in Betrieb",
    lead:
      "Anmeldung, Beobachtung, Fehlerbehandlung und seitenweise Listen als Layer von Effect. Alles auf dieser Website " +
      "ist das Framework bei der Arbeit: Sehen Sie sich um, bringen Sie es zu Fall, lesen Sie seine Messwerte.",
    accounts: "Konten",
    accountsText: [
      "Registrieren Sie sich mit einer beliebigen Adresse, oder melden Sie sich als ",
      " mit dem Passwort ",
      " an. E-Mails sind Dateien im Speicherordner, solange kein Mailserver eingestellt ist."
    ],
    articles: "Artikel",
    articlesText:
      "Tausend Stück, nach Seiten oder per Cursor, als Seite, als JSON, als XML oder über eine typisierte API.",
    articlesLink: "Artikel lesen",
    apiLink: "Die API ausprobieren",
    metrics: "Messwerte",
    metricsText: "Was alle Worker zusammen geleistet haben, für Prometheus oder als JSON.",
    metricsLink: "Messwerte ansehen",
    healthLink: "Nach dem Befinden fragen",
    errors: "Fehler",
    errorsText: "Eine Route, die absichtlich scheitert, zeigt, was Besucher und was Entwickler sehen.",
    errorsLink: "Scheitern sehen"
  },
  articles: {
    title: "Artikel",
    titleBy: (author) => `Artikel von ${author}`,
    search: "Wörter im Titel",
    order: "Reihenfolge",
    sorts: {
      "-published_at": "Neueste zuerst",
      published_at: "Älteste zuerst",
      title: "Titel, A bis Z",
      "-title": "Titel, Z bis A",
      "author,title": "Autor, A bis Z",
      "-author,-title": "Autor, Z bis A"
    },
    show: "Zeigen",
    by: "Von",
    uncounted: "Lesen Sie, so weit Sie möchten; die Liste wird nicht gezählt.",
    count: (total) => `${total} Artikel`,
    page: (page, pages) => `Seite ${page} von ${pages}`,
    pages: "Seiten",
    previous: "← Zurück",
    next: "Weiter →",
    withoutPages: "Ohne Seiten lesen",
    more: "Weitere Artikel",
    last: "Das war der letzte.",
    loadMore: "Mehr laden",
    start: "Zurück zum Anfang",
    turnPages: "Seitenweise lesen",
    allAuthors: "Artikel aller Autoren zeigen",
    none: "Hier ist nichts.",
    all: "Alle Artikel zeigen"
  },
  dashboard: {
    title: "Übersicht aller Worker",
    heading: "Alle Worker",
    stale: "Der Server antwortet nicht. Dies sind die letzten bekannten Werte.",
    first: "Die ersten Werte erscheinen in wenigen Sekunden.",
    fleet: (workers, seconds) => `${workers} Worker, ein Wert alle ${seconds} Sekunden.`,
    now: "jetzt",
    summary: (title, values) => `${title} im Zeitverlauf; jetzt ${values}`,
    charts: {
      requests: "Anfragen",
      received: "empfangen",
      latency: "Antwortzeit",
      errors: "Fehler",
      serverErrors: "Antworten 5xx",
      logins: "Anmeldungen",
      accepted: "erfolgreich",
      refused: "abgelehnt",
      inFlight: "In Arbeit",
      waiting: "Anfragen",
      traffic: "Datenverkehr",
      sent: "gesendet",
      memory: "Arbeitsspeicher",
      allWorkers: "alle Worker",
      processor: "Prozessor",
      oneCore: "eines Kerns",
      delay: "Verzögerung der Ereignisschleife",
      slowest: "langsamster Worker"
    }
  }
}
