// The page of an API document: every operation with its parameters, bodies and responses, and a form that sends it. The page
// is complete without its script, which only shows and sends the forms. All text of the document is escaped.
import * as Document from "./ApiDocument.ts"
import { type Html, html } from "../../http/Html.ts"
import * as SchemaText from "./SchemaText.ts"
import * as Status from "../../http/internal/text/Status.ts"

/** The addresses that the page links to. */
interface Links {
  readonly document: string
  readonly style: string
  readonly script: string
}

/** The identifier of an element for a name of the document. */
const idOf = (prefix: string, name: string): string => `${prefix}-${name.replace(/[^\w-]+/g, "-")}`

const type = (schema: Document.JsonSchema | undefined): Html =>
  html`<pre tabindex="0"><code>${schema === undefined ? "unknown" : SchemaText.typeText(schema)}</code></pre>`

const parameterRow = ({ description, in: place, name, required, schema = {} }: Document.Parameter): Html => {
  const remark = SchemaText.remark(schema)
  const text = description ?? remark
  return html`<tr>
    <th scope="row"><code>${name}</code>${required === true && html` <span class="badge">required</span>`}</th>
    <td>${place}</td>
    <td><code>${SchemaText.typeText(schema)}</code>${text !== "" && html`<br />${text}`}</td>
  </tr>`
}

const parametersOf = (id: string, parameters: ReadonlyArray<Document.Parameter>): Html | false =>
  parameters.length > 0 &&
  html`<h4 id="${id}-parameters">Parameters</h4>
    <div class="scroll" role="group" aria-labelledby="${id}-name ${id}-parameters" tabindex="0">
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">In</th>
            <th scope="col">Value</th>
          </tr>
        </thead>
        <tbody>
          ${parameters.map(parameterRow)}
        </tbody>
      </table>
    </div>`

const statusText = (status: string): string => (status === "default" ? "Other" : Status.text(Number(status)))

const responseRow = (document: Document.ApiDocument, status: string, part: Document.Response | Document.Reference) => {
  const { content = {}, description, headers = {} } = Document.responseOf(document, part)
  const names = Object.keys(headers)
  return html`<details class="response">
    <summary><strong>${status}</strong> ${statusText(status)}</summary>
    <p>${description}</p>
    ${names.length > 0 && html`<p class="faint">Headers: ${names.join(", ")}</p>`}
    ${Object.entries(content).map(([name, { schema }]) => html`<p class="faint">${name}</p>${type(schema)}`)}
  </details>`
}

const needs = ({ security = [] }: Document.Operation): Html => {
  const ways = security.map((requirement) => Object.keys(requirement).join(" and "))
  return ways.length === 0
    ? html`<p class="faint">Open to everyone.</p>`
    : html`<p class="faint">Needs ${ways.join(" or ")}.</p>`
}

const field = (id: string, { example, in: place, name, required }: Document.Parameter): Html => {
  const input = idOf(`${id}-${place}`, name)
  const shown = typeof example === "string" || typeof example === "number" ? String(example) : ""
  return html`<div class="field">
    <label for="${input}">${name} <span class="faint">${place}</span></label>
    <input
      id="${input}"
      data-in="${place}"
      data-name="${name}"
      value="${required === true ? shown : ""}"
      autocomplete="off"
      ${required === true && html`required`}
    />
  </div>`
}

// The header of the CSRF check is the script's to send, and a cookie the browser's.
const isTyped = ({ in: place, name }: Document.Parameter): boolean =>
  place !== "cookie" && name.toLowerCase() !== "x-csrf-token"

const form = (id: string, { method, operation, path }: Document.Endpoint): Html => {
  const [contentType, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  const example = body?.example === undefined ? "" : JSON.stringify(body.example, undefined, 2)
  return html`<form class="try" hidden data-method="${method}" data-path="${path}">
    <h4>Try it</h4>
    ${(operation.parameters ?? []).filter(isTyped).map((parameter) => field(id, parameter))}
    ${
      contentType !== undefined &&
      html`<div class="field">
      <label for="${id}-body">Body <span class="faint">${contentType}</span></label>
      <textarea id="${id}-body" data-type="${contentType}" spellcheck="false">${example}</textarea>
    </div>`
    }
    <button type="submit">Send</button>
    <div class="result" role="status" aria-live="polite"></div>
  </form>`
}

const operationCard = (document: Document.ApiDocument, endpoint: Document.Endpoint): Html => {
  const { method, operation, path } = endpoint
  const id = idOf("operation", operation.operationId ?? `${method}-${path}`)
  const [contentType, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  return html`<section class="card operation" id="${id}" aria-labelledby="${id}-name">
    <h3 id="${id}-name">
      <span class="badge">${method.toUpperCase()}</span> <code class="long">${path}</code>
      ${operation.deprecated === true && html`<span class="badge error">deprecated</span>`}
    </h3>
    ${operation.summary !== undefined && html`<p>${operation.summary}</p>`}
    ${operation.description !== undefined && html`<p>${operation.description}</p>`} ${needs(operation)}
    ${parametersOf(id, operation.parameters ?? [])}
    ${contentType !== undefined && html`<h4>Body <span class="faint">${contentType}</span></h4>${type(body?.schema)}`}
    <h4>Responses</h4>
    ${Object.entries(operation.responses).map(([status, part]) => responseRow(document, status, part))}
    ${form(id, endpoint)}
  </section>`
}

const group = (document: Document.ApiDocument, name: string, description: string | undefined): Html => {
  const endpoints = Document.endpoints(document).filter(({ operation }) => (operation.tags ?? [])[0] === name)
  const id = idOf("group", name)
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${name}</h2>
    ${description !== undefined && html`<p>${description}</p>`}
    ${endpoints.map((endpoint) => operationCard(document, endpoint))}
  </section>`
}

const schemas = ({ components }: Document.ApiDocument): Html =>
  html`<section aria-labelledby="schemas">
    <h2 id="schemas">Schemas</h2>
    ${Object.entries(components.schemas).map(([name, schema]) => {
      const remark = SchemaText.remark(schema)
      return html`<details class="response" id="${idOf("schema", name)}">
        <summary><code>${name}</code></summary>
        ${remark !== "" && html`<p>${remark}</p>`} ${type(schema)}
      </details>`
    })}
  </section>`

const credentials = ({ components }: Document.ApiDocument): Html => {
  const schemes = Object.entries(components.securitySchemes)
  return html`<section class="card" aria-labelledby="credentials">
    <h2 id="credentials">Credentials</h2>
    ${
      schemes.length === 0
        ? html`<p>No operation needs any.</p>`
        : html`<dl>
            ${schemes.map(([name, scheme]) => html`<dt>${name}</dt><dd>${scheme.description ?? scheme.type}</dd>`)}
          </dl>`
    }
    <form class="try" hidden id="bearer-form">
      <div class="field">
        <label for="bearer">Bearer</label>
        <input id="bearer" type="password" autocomplete="off" aria-describedby="bearer-hint" />
        <p class="hint" id="bearer-hint">
          Sent with the requests of this page and kept nowhere. Without it they have the cookies of this browser.
        </p>
      </div>
    </form>
  </section>`
}

/** The content of the page. */
export const render = (document: Document.ApiDocument, { document: href, script, style }: Links): Html => {
  const { description, title, version } = document.info
  return html`<link rel="stylesheet" href="${style}" />
    <script src="${script}" defer></script>
    <h1>${title} <span class="faint">${version}</span></h1>
    ${description !== undefined && html`<p class="lead">${description}</p>`}
    <p><a href="${href}">OpenAPI document</a></p>
    <nav class="row groups" aria-label="Groups">
      ${document.tags.map(({ name }) => html`<a href="#${idOf("group", name)}">${name}</a>`)}
      <a href="#schemas">Schemas</a>
    </nav>
    ${credentials(document)} ${document.tags.map(({ description, name }) => group(document, name, description))}
    ${schemas(document)}`
}
