import { german } from "../../../src/auth/GermanAuthTexts.ts"
import { english } from "../../../src/auth/AuthTexts.ts"
import { describeGerman } from "../../support/Translation.ts"

describeGerman("auth", english, german)
