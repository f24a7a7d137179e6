import { german } from "../../../src/auth/GermanAuthTexts.ts"
import { english } from "../../../src/auth/AuthTexts.ts"
import { describeGerman } from "../../support/Translation.ts"

// Words that both languages have.
describeGerman("auth", english, german, ["tokens.name", "tokens.secret", "loginFactor.code"])
