// The part of `openid-client` that is used here. The package is optional: the types are checked without it, too.
declare module "openid-client" {
  interface ServerMetadata {
    readonly issuer: string
    readonly authorization_endpoint?: string
    readonly token_endpoint?: string
    readonly userinfo_endpoint?: string
    readonly token_endpoint_auth_methods_supported?: ReadonlyArray<string>
  }

  type CustomFetch = (url: string, options: FetchOptions) => Promise<Response>

  interface FetchOptions {
    readonly method: string
    readonly headers: Record<string, string>
    readonly body?: unknown
    readonly signal?: AbortSignal
  }

  type ClientAuth = (
    server: ServerMetadata,
    client: unknown,
    body: URLSearchParams,
    headers: Headers
  ) => void | Promise<void>

  const customFetch: unique symbol

  class Configuration {
    constructor(server: ServerMetadata, clientId: string, metadata: undefined, authentication: ClientAuth)
    serverMetadata(): ServerMetadata
    timeout?: number;
    [customFetch]?: CustomFetch
  }

  function ClientSecretPost(secret: string): ClientAuth
  function ClientSecretBasic(secret: string): ClientAuth
  function discovery(
    server: URL,
    clientId: string,
    metadata: undefined,
    authentication: ClientAuth,
    options: {
      readonly execute: ReadonlyArray<(config: Configuration) => void>
      readonly timeout: number
      readonly [customFetch]: CustomFetch
    }
  ): Promise<Configuration>
  function allowInsecureRequests(config: Configuration): void
  function enableNonRepudiationChecks(config: Configuration): void
  function buildAuthorizationUrl(config: Configuration, parameters: Record<string, string>): URL

  interface Checks {
    readonly expectedState: string
    readonly expectedNonce?: string
    readonly pkceCodeVerifier: string
    readonly idTokenExpected: boolean
  }

  interface Tokens {
    readonly access_token: string
    claims(): Readonly<Record<string, unknown>> | undefined
  }

  function authorizationCodeGrant(config: Configuration, url: URL, checks: Checks): Promise<Tokens>
  function fetchUserInfo(
    config: Configuration,
    accessToken: string,
    subject: string
  ): Promise<Readonly<Record<string, unknown>>>
  function fetchProtectedResource(
    config: Configuration,
    accessToken: string,
    url: URL,
    method: string
  ): Promise<Response>
}
