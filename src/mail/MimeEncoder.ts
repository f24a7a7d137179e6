// A letter as it travels: the text of an Internet message (RFC 5322) with a plain and an HTML part.
import { Encoding, Redacted } from "effect"
import type { MailMessage, Sender } from "./MailMessage.ts"

/** Who sends the letter, under which id, and when. */
export interface Envelope {
  readonly sender: Sender
  /** Names the letter for good: sent twice, it is still recognised as one. */
  readonly id: string
  /** Milliseconds of the epoch. */
  readonly date: number
}

const isAscii = (text: string): boolean => /^[\t\n\r\x20-\x7e]*$/.test(text)

// => =?UTF-8?B?R3LDvMOfZQ==?=   at most 75 characters a word (RFC 2047), never a cut inside a character
const encodedWords = (text: string): string => {
  const words: Array<string> = []
  let piece = ""
  for (const character of text) {
    if (new TextEncoder().encode(piece + character).length > 45) {
      words.push(piece)
      piece = ""
    }
    piece += character
  }
  return [...words, piece].map((word) => `=?UTF-8?B?${Encoding.encodeBase64(word)}?=`).join("\r\n ")
}

// A reader would decode what looks like an encoded word, and drop spaces at the ends: such a text is encoded too.
const isPlain = (text: string): boolean => isAscii(text) && !text.includes("=?") && text.trim() === text

const line = (text: string): string => (isPlain(text) ? text : encodedWords(text))

const phrase = (text: string): string =>
  isPlain(text) && /^[\w !#$%&'*+/=?^`{|}~-]*$/.test(text) ? text : encodedWords(text)

const mailbox = (from: Sender): string => (from.name === "" ? from.address : `${phrase(from.name)} <${from.address}>`)

// Plain as long as the format allows, so that a link stays in one piece for whoever opens the file.
const part = (type: string, text: string): string => {
  const body = text.replace(/\r\n|\r|\n/g, "\r\n")
  const plain = isAscii(body) && body.split("\r\n").every((row) => row.length <= 998)
  const encoding = plain ? "7bit" : "base64"
  const head = `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`
  return head + (plain ? body : Encoding.encodeBase64(body).replace(/.{76}(?=.)/g, "$&\r\n"))
}

/** The whole message, with CRLF line ends. */
export const encode = (letter: MailMessage, envelope: Envelope): string => {
  const { sender } = envelope
  const boundary = `=_${envelope.id}`
  return [
    `From: ${mailbox(sender)}`,
    `To: ${letter.to}`,
    `Subject: ${line(letter.subject)}`,
    `Date: ${new Date(envelope.date).toUTCString().replace("GMT", "+0000")}`,
    `Message-ID: <${envelope.id}@${sender.address.slice(sender.address.lastIndexOf("@") + 1)}>`,
    // Keeps holiday answers away from the sender's box (RFC 3834).
    "Auto-Submitted: auto-generated",
    "MIME-Version: 1.0",
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
    "",
    `--${boundary}`,
    part("text/plain", Redacted.value(letter.text)),
    `--${boundary}`,
    part("text/html", Redacted.value(letter.html)),
    `--${boundary}--`,
    ""
  ].join("\r\n")
}
