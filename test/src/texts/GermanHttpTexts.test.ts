import { german } from "../../../src/texts/internal/GermanHttpTexts.ts"
import { english } from "../../../src/http/HttpTexts.ts"
import { describeGerman } from "../../support/Translation.ts"

describeGerman("http", english, german)
