// Titles and summaries that read like those of a small magazine. The same number always gives the same article.

const openings = [
  "What {} taught us",
  "A short history of {}",
  "The quiet return of {}",
  "Why {} still matter",
  "In praise of {}",
  "Living with {}",
  "The trouble with {}",
  "Notes on {}",
  "How {} came to be loved",
  "A winter among {}",
  "Who looks after {}?",
  "The second life of {}",
  "Ten questions about {}",
  "Learning to trust {}",
  "{}, seen from above",
  "The people behind {}",
  "What we get wrong about {}",
  "A beginner's guide to {}",
  "The hidden cost of {}",
  "Letters about {}",
  "When {} disappear",
  "The arithmetic of {}",
  "{} after dark",
  "Against {}",
  "The last word on {}"
] as const

const subjects = [
  "slow trains",
  "harbour towns",
  "paper maps",
  "night markets",
  "dry stone walls",
  "village choirs",
  "old ferries",
  "allotment gardens",
  "lending libraries",
  "weather stations",
  "mountain huts",
  "public clocks",
  "repair cafés",
  "bicycle couriers",
  "salt marshes",
  "hand-painted signs",
  "long letters",
  "border crossings",
  "small cinemas",
  "bread ovens",
  "river pilots",
  "corner shops",
  "tide tables",
  "sleeper cars",
  "orchard keepers",
  "street musicians",
  "lighthouse logs",
  "wooden boats",
  "radio plays",
  "chess clubs",
  "cable cars",
  "field recordings",
  "beekeepers' almanacs",
  "printing presses",
  "open-air baths",
  "canal locks",
  "second-hand bookshops",
  "kitchen tables",
  "star charts",
  "postal routes"
] as const

const angles = [
  "A reporter spends a season with {} and comes home with more doubts than notes.",
  "We asked the people who know {} best, and they did not agree on much.",
  "Everyone has an opinion on {}. Few have looked closely.",
  "The numbers on {} are better than they seem, and worse than we hoped.",
  "An old argument about {}, told from both sides for once.",
  "Three visits, two years apart, to see what became of {}.",
  "There is a patience to {} that is easy to miss from a distance."
] as const

const names = [
  "Agnes Tormund",
  "Bilal Okafor",
  "Clara Vidal",
  "Dagny Holm",
  "Emil Sarkany",
  "Farah Nadim",
  "Gwen Parry",
  "Hugo Lindqvist",
  "Ines Caldeira",
  "Jonas Weber",
  "Kaoru Minami",
  "Leila Haddad",
  "Marek Dvorak",
  "Nadia Petrenko",
  "Oskar Brandt",
  "Priya Raman",
  "Quentin Moreau",
  "Rosa Ibarra",
  "Selma Aydin",
  "Tomas Reyes",
  "Una Gallagher",
  "Viktor Ness",
  "Wanjiru Kamau",
  "Yusuf Demir"
] as const

export const articleCount = openings.length * subjects.length

export const authors: ReadonlyArray<{ readonly id: number; readonly name: string }> = names.map((name, index) => ({
  id: index + 1,
  name
}))

const pick = <A>(list: readonly [A, ...ReadonlyArray<A>], index: number): A => list[index % list.length] ?? list[0]

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const start = Date.UTC(2021, 0, 4, 6, 30)
const hour = 3_600_000

// An issue appears about every 37 hours, three articles at the same time: lists must handle ties.
const published = (index: number): string => {
  const issue = Math.floor(index / 3)
  const micros = String((issue * 7919) % 1000).padStart(3, "0")
  return new Date(start + issue * 37 * hour + ((issue * 104_729) % hour)).toISOString().replace("Z", `${micros}Z`)
}

/** The article of a number from 0; no two have the same title. */
export const article = (index: number) => {
  const opening = index % openings.length
  // Each opening meets each subject once, and neighbours differ in both.
  const subject = pick(subjects, Math.floor(index / openings.length) + 3 * opening)
  return {
    id: index + 1,
    title: capital(pick(openings, opening).replace("{}", subject)),
    summary: capital(pick(angles, index * 5 + Math.floor(index / 11)).replace("{}", subject)),
    published_at: published(index),
    author_id: pick(authors as [(typeof authors)[number]], index * 7 + Math.floor(index / 24)).id
  }
}
