import { german } from "../../../src/texts/internal/GermanProviderTexts.ts"
import { english } from "../../../src/auth/internal/providers/ProviderTexts.ts"
import { describeGerman } from "../../support/Translation.ts"

describeGerman("providers", english, german)
