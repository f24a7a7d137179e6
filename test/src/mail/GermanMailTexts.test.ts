import { german } from "../../../src/mail/GermanMailTexts.ts"
import { english } from "../../../src/mail/MailTexts.ts"
import { describeGerman } from "../../support/Translation.ts"

describeGerman("mail", english, german)
