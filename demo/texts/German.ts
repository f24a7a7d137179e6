// German: every text of the framework and of the demo.
import { Layer } from "effect"
import * as German from "../../src/texts/German.ts"
import { DemoTexts } from "./DemoTexts.ts"
import * as GermanDemo from "./GermanDemo.ts"

export const layer = Layer.merge(German.layer, Layer.succeed(DemoTexts, GermanDemo.german))
