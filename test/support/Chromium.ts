// The browser as a service: `layer(Layer.merge(app, Chromium.layer))`.
import { Context, Layer } from "effect"
import type { Browser } from "playwright-core"
import { launch } from "./Browser.ts"

export class Chromium extends Context.Tag("test/Chromium")<Chromium, Browser>() {}

export const layer = Layer.effect(Chromium, launch)
