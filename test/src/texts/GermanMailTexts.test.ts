import { german } from "../../../src/texts/internal/GermanMailTexts.ts"
import { english } from "../../../src/mail/MailTexts.ts"
import { describeGerman } from "../../support/Translation.ts"

describeGerman("mail", english, german)
