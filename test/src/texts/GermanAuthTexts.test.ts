import { german, germanForms } from "../../../src/texts/internal/GermanAuthTexts.ts"
import { english } from "../../../src/auth/AuthTexts.ts"
import { english as englishForms } from "../../../src/session/FormTexts.ts"
import { describeGerman } from "../../support/Translation.ts"

// Words that both languages have.
describeGerman("auth", english, german, ["tokens.name", "tokens.secret", "loginFactor.code", "methods.passkeys"])
describeGerman("forms", englishForms, germanForms)
