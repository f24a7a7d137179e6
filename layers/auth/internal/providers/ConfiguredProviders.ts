// The providers that the environment names, as layers.
import { Layer } from "effect"
import type { MissingPackage } from "../../../../src/config/internal/OptionalPackage.ts"
import type { ProviderConfig } from "../../../../src/auth/internal/providers/ProviderConfig.ts"
import type { Providers } from "../../../../src/auth/Providers.ts"
import * as GitHub from "../../GitHub.ts"
import * as Google from "../../Google.ts"
import * as Microsoft from "../../Microsoft.ts"
import * as OidcProvider from "../../OidcProvider.ts"
import type { InvalidProvider } from "./InvalidProvider.ts"

type ProviderLayer = Layer.Layer<never, InvalidProvider | MissingPackage, Providers>

/** Every provider that is set, in the order of their buttons. None loads no package. */
export const layerWith = ({ github, google, microsoft, oidc }: ProviderConfig): ProviderLayer => {
  const layers: ReadonlyArray<ProviderLayer> = [
    google === undefined ? Layer.empty : Google.layer(google),
    microsoft === undefined ? Layer.empty : Microsoft.layer(microsoft),
    github === undefined ? Layer.empty : GitHub.layer(github),
    oidc === undefined ? Layer.empty : OidcProvider.layer({ id: "oidc", ...oidc })
  ]
  // One after the other, so that the order is that of the list.
  return layers.reduce((all, one) => Layer.provideMerge(one, all), Layer.empty)
}
