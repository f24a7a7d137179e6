// What the package gives to its users, read by the compiler: entry points, their modules, and the exports of each.
import { readFileSync } from "node:fs"
import { join, relative } from "node:path"
import ts from "typescript"
import { compact } from "./Signature.ts"

/** A field or a method. */
export interface Member {
  readonly name: string
  readonly signature: string
  readonly sentence: string | undefined
}

export interface Export {
  readonly name: string
  /** The type parameters of a type, with their angle brackets. */
  readonly generics: string
  readonly kind: string
  readonly signature: string
  readonly sentence: string | undefined
  /** The code of its `@example`. */
  readonly example: string | undefined
  readonly members: ReadonlyArray<Member>
}

export interface Module {
  readonly name: string
  /** From the root of the repository. */
  readonly path: string
  readonly subsystem: string
  readonly purpose: string
  readonly exports: ReadonlyArray<Export>
}

export interface Entry {
  readonly name: string
  readonly purpose: string
  readonly modules: ReadonlyArray<Module>
}

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>
}

/** The entry points by the name that users import, each with the folder whose `index.ts` it is. */
export const entryPoints = (root: string): ReadonlyArray<readonly [name: string, folder: string]> => {
  const manifest: Manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  return Object.entries(manifest.exports).flatMap(([name, target]) =>
    typeof target === "string"
      ? []
      : [
          [
            name.replace(/^\./, "effect-framework"),
            target.types.replace(/^\.\/dist\/(.*)\/index\.d\.ts$/, "$1")
          ] as const
        ]
  )
}

/** The first sentence of a comment; nothing when there is none that ends. */
export const sentenceOf = (comment: string): string | undefined =>
  /^.+?[.?!](?=\s|$)(?! (?:[a-z]|$))/.exec(comment.replace(/\s+/g, " ").trim())?.[0]

const fenced = /^ *\* @example\n *\* ```ts\n((?: *\*.*\n)*?) *\* ```$/gm

/** The code of every `@example` in a text of TypeScript. */
export const examplesOf = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(fenced), ([, code = ""]) => code.replace(/^ *\* ?/gm, ""))

// What is taken apart in one statement shares its comment.
const statementOf = (node: ts.Node): ts.Node =>
  ts.isBindingElement(node) || ts.isObjectBindingPattern(node) ? statementOf(node.parent) : node

const commentOf = (node: ts.Node): string =>
  ts
    .getJSDocCommentsAndTags(statementOf(node))
    .filter(ts.isJSDoc)
    .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? "")
    .join(" ")

/** The code of the `@example` of a comment, as it is written; the compiler trims the lines of a tag. */
const exampleOf = (node: ts.Node): string | undefined =>
  ts
    .getJSDocCommentsAndTags(statementOf(node))
    .filter(ts.isJSDoc)
    .flatMap((comment) => examplesOf(comment.getFullText()))[0]

const headOf = (source: ts.SourceFile): string =>
  (/^(?:\/\/.*\n)+/.exec(source.text)?.[0] ?? "")
    .replace(/^\/\/ ?/gm, "")
    .replace(/\s+/g, " ")
    .trim()

/** What a class extends: `Context.Tag("…")<Self, Shape>()`, `Schema.TaggedError<Self>()("…", fields)`, or nothing. */
const parentOf = (node: ts.ClassDeclaration): ts.CallExpression | undefined => {
  const parent = node.heritageClauses?.[0]?.types[0]?.expression
  return parent !== undefined && ts.isCallExpression(parent) ? parent : undefined
}

const kindOfClass = (node: ts.ClassDeclaration): string => {
  const parent = parentOf(node)?.expression.getText() ?? ""
  if (parent.startsWith("Context.Tag(") || parent.startsWith("Context.Reference")) return "service"
  return /^(?:Schema|Data)\.TaggedError/.test(parent) ? "error" : "class"
}

/** `Context.Tag("…")<Self, Shape>()`, or `Context.Reference<Self>()("…", { defaultValue: (): Shape => … })`. */
const shapeOf = (parent: ts.CallExpression | undefined): ts.TypeNode | undefined => {
  const options = parent?.arguments[1]
  if (options === undefined || !ts.isObjectLiteralExpression(options)) return parent?.typeArguments?.[1]
  const [given] = options.properties
  return given !== undefined && ts.isPropertyAssignment(given) && ts.isArrowFunction(given.initializer)
    ? given.initializer.type
    : undefined
}

const flags =
  ts.TypeFormatFlags.NoTruncation |
  ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope |
  ts.TypeFormatFlags.WriteArrowStyleSignature

const printed = (checker: ts.TypeChecker, node: ts.Node): string => {
  const type = checker.getTypeAtLocation(node)
  return compact(
    checker.typeToString(type.isStringLiteral() ? checker.getBaseTypeOfLiteralType(type) : type, node, flags)
  )
}

const isFunctionLike = (node: ts.Node): node is ts.MethodDeclaration | ts.MethodSignature =>
  ts.isMethodDeclaration(node) || ts.isMethodSignature(node)

const textOfMember = (checker: ts.TypeChecker, node: ts.ClassElement | ts.TypeElement): string => {
  if ((ts.isPropertySignature(node) || ts.isPropertyDeclaration(node)) && node.type !== undefined) {
    return compact(node.type.getText())
  }
  if (!isFunctionLike(node)) return printed(checker, node)
  const generics =
    node.typeParameters === undefined ? "" : `<${node.typeParameters.map((one) => one.getText()).join(", ")}>`
  const parameters = node.parameters.map((one) => one.getText()).join(", ")
  return compact(`${generics}(${parameters}) => ${node.type?.getText() ?? "unknown"}`)
}

const isPublic = (node: ts.ClassElement | ts.TypeElement): boolean =>
  node.name !== undefined &&
  ts.isIdentifier(node.name) &&
  (ts.getCombinedModifierFlags(node) & (ts.ModifierFlags.Private | ts.ModifierFlags.Override)) === 0

/** Reads declarations, and knows what has a place of its own in the reference. */
interface Reader {
  readonly checker: ts.TypeChecker
  readonly known: ReadonlySet<ts.Symbol>
}

/** The interface that one extends, where it is not told of: its members are those of the other. */
const hiddenParent = ({ checker, known }: Reader, node: ts.ExpressionWithTypeArguments) => {
  const symbol = checker.getSymbolAtLocation(node.expression)
  const parent = symbol && resolved(checker, symbol)
  return parent === undefined || known.has(parent)
    ? undefined
    : parent.declarations?.find(
        (one) => ts.isInterfaceDeclaration(one) && !/node_modules/.test(one.getSourceFile().fileName)
      )
}

const heritageOf = (node: ts.InterfaceDeclaration): ReadonlyArray<ts.ExpressionWithTypeArguments> =>
  (node.heritageClauses ?? []).flatMap(({ types }) => types)

const elementsOf = (reader: Reader, node: ts.Declaration): ReadonlyArray<ts.ClassElement | ts.TypeElement> => {
  if (ts.isInterfaceDeclaration(node)) {
    const inherited = heritageOf(node).flatMap((one) => {
      const parent = hiddenParent(reader, one)
      return parent === undefined ? [] : elementsOf(reader, parent)
    })
    return [...node.members, ...inherited]
  }
  if (!ts.isClassDeclaration(node)) return []
  const shape = kindOfClass(node) === "service" ? shapeOf(parentOf(node)) : node
  return shape !== undefined && (ts.isTypeLiteralNode(shape) || ts.isClassDeclaration(shape)) ? shape.members : []
}

/** Whether its members follow from those of a value, such as the texts of a catalogue. */
const isDerived = ({ checker }: Reader, node: ts.ExpressionWithTypeArguments): boolean => {
  const symbol = checker.getSymbolAtLocation(node.expression)
  const [declared] = (symbol && resolved(checker, symbol).declarations) ?? []
  if (declared === undefined || !ts.isTypeAliasDeclaration(declared)) return false
  return ts.isMappedTypeNode(declared.type) && !/node_modules/.test(declared.getSourceFile().fileName)
}

/** A catalogue is told as its texts. */
const shapeText = (checker: ts.TypeChecker, type: ts.Type, node: ts.Node): string => {
  if (type.aliasSymbol?.name !== "Catalogue") return checker.typeToString(type, node, flags)
  const texts = type.getProperties().map((one) => {
    return `readonly ${one.name}: ${shapeText(checker, checker.getTypeOfSymbol(one), node)}`
  })
  return `{ ${texts.join("; ")} }`
}

const derivedOf = (reader: Reader, node: ts.Declaration): ReadonlyArray<Member> => {
  const { checker } = reader
  const derived = ts.isInterfaceDeclaration(node) ? heritageOf(node).filter((one) => isDerived(reader, one)) : []
  return derived
    .flatMap((one) => checker.getTypeAtLocation(one).getProperties())
    .map((one) => ({
      name: one.name,
      signature: compact(shapeText(checker, checker.getTypeOfSymbol(one), node)),
      sentence: sentenceOf(ts.displayPartsToString(one.getDocumentationComment(checker)))
    }))
}

const membersOf = (reader: Reader, node: ts.Declaration): ReadonlyArray<Member> => {
  const named = elementsOf(reader, node).filter(isPublic)
  const first = new Map(named.toReversed().map((element) => [element.name?.getText() ?? "", element]))
  const written = Array.from(first, ([name, element]) => ({
    name: "questionToken" in element && element.questionToken !== undefined ? `${name}?` : name,
    signature: textOfMember(reader.checker, element),
    sentence: sentenceOf(commentOf(element))
  })).toReversed()
  return [...derivedOf(reader, node), ...written]
}

/** The fields of an error or a schema, or the options of a middleware. */
const fieldsOf = (node: ts.ClassDeclaration): string => {
  const given = parentOf(node)?.arguments ?? []
  const fields = kindOfClass(node) === "error" ? given[1] : given.find(ts.isObjectLiteralExpression)
  return fields?.getText().replace(/\s+/g, " ") ?? ""
}

/** What a service is, where its members do not say it. */
const serviceOf = (reader: Reader, node: ts.ClassDeclaration): string => {
  const { checker } = reader
  if (elementsOf(reader, node).length > 0) return ""
  const given = shapeOf(parentOf(node))
  if (given !== undefined) return compact(given.getText())
  const tag = node.name === undefined ? undefined : checker.getSymbolAtLocation(node.name)
  const service = tag === undefined ? undefined : checker.getTypeOfSymbol(tag).getProperty("Service")
  return service === undefined ? "" : compact(checker.typeToString(checker.getTypeOfSymbol(service), node, flags))
}

const signatureOfClass = (reader: Reader, node: ts.ClassDeclaration): string =>
  kindOfClass(node) === "service" ? serviceOf(reader, node) : fieldsOf(node)

const signatureOfInterface = (reader: Reader, node: ts.InterfaceDeclaration): string => {
  const parents = heritageOf(node).filter((one) => hiddenParent(reader, one) === undefined && !isDerived(reader, one))
  const told = parents.map((one) => one.getText().replace(/\s+/g, " ")).join(", ")
  if (told !== "") return `extends ${told}`
  const isNamed = heritageOf(node).some((one) => isDerived(reader, one)) || elementsOf(reader, node).some(isPublic)
  return isNamed ? "" : `{ ${node.members.map((one) => one.getText().replace(/\s+/g, " ")).join("; ")} }`
}

const isSchema = (text: string): boolean => /^(?:typeof )?Schema\b/.test(text)

const described = (reader: Reader, node: ts.Declaration): Pick<Export, "kind" | "signature"> => {
  const { checker } = reader
  if (ts.isClassDeclaration(node)) return { kind: kindOfClass(node), signature: signatureOfClass(reader, node) }
  if (ts.isInterfaceDeclaration(node)) return { kind: "interface", signature: signatureOfInterface(reader, node) }
  if (ts.isTypeAliasDeclaration(node)) return { kind: "type", signature: compact(node.type.getText()) }
  const signature = printed(checker, node)
  if (checker.getTypeAtLocation(node).getCallSignatures().length > 0) return { kind: "function", signature }
  if (isSchema(signature)) return { kind: "schema", signature }
  return { kind: /^(Layer|Effect|Config)</.exec(signature)?.[1]?.toLowerCase() ?? "value", signature }
}

const genericsOf = (node: ts.Declaration): string => {
  const named = ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node)
  const { typeParameters: list = [] } = named ? node : {}
  return list.length === 0 ? "" : `<${list.map((one) => one.getText()).join(", ")}>`
}

/** What a name stands for, behind its imports and exports. */
export const resolved = (checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol =>
  (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol)

/** Whether it is `export type { Chain } from "…"`: a class is then given only as a type. */
export const isTypeOnly = ({ declarations = [] }: ts.Symbol): boolean =>
  declarations.some(ts.isTypeOnlyExportDeclaration)

const readExport = (reader: Reader, given: ts.Symbol): ReadonlyArray<Export> => {
  const declarations = resolved(reader.checker, given).declarations ?? []
  // A schema and its type share a name: the schema says more.
  const [first] = [...declarations.filter((one) => !ts.isTypeAliasDeclaration(one)), ...declarations]
  if (first === undefined) return []
  const sentence = declarations.map((one) => sentenceOf(commentOf(one))).find((text) => text !== undefined)
  const example = declarations.map(exampleOf).find((text) => text !== undefined)
  const members = membersOf(reader, first)
  const { kind, signature } = described(reader, first)
  return [
    {
      name: given.name,
      generics: genericsOf(first),
      kind: isTypeOnly(given) && kind !== "interface" ? "type" : kind,
      signature,
      sentence,
      example,
      members
    }
  ]
}

const isModule = (node: ts.Declaration | undefined): node is ts.SourceFile =>
  node !== undefined && ts.isSourceFile(node)

const readModule = (root: string, reader: Reader, given: ts.Symbol): ReadonlyArray<Module> => {
  const { checker } = reader
  const symbol = resolved(checker, given)
  const [source] = symbol.declarations ?? []
  if (!isModule(source)) return []
  const path = relative(root, source.fileName)
  const [storey = "", folder = "", file] = path.split("/")
  return [
    {
      name: given.name,
      path,
      subsystem: file === undefined ? storey : folder,
      purpose: headOf(source),
      exports: checker.getExportsOfModule(symbol).flatMap((symbol) => readExport(reader, symbol))
    }
  ]
}

/** The entry points and the other files as one program; `root` is that of the repository. */
export const compile = (root: string, others: ReadonlyArray<string> = []): ts.Program => {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile)
  const { tsBuildInfoFile: _, ...options } = ts.parseJsonConfigFileContent(config, ts.sys, root).options
  const indices = entryPoints(root).map(([, folder]) => join(root, folder, "index.ts"))
  return ts.createProgram([...indices, ...others], { ...options, incremental: false })
}

/** Everything that a user can import; `root` is that of the repository. */
export const read = (root: string, program: ts.Program = compile(root)): ReadonlyArray<Entry> => {
  const checker = program.getTypeChecker()
  const given = entryPoints(root).flatMap(([name, folder]) => {
    const source = program.getSourceFile(join(root, folder, "index.ts"))
    const symbol = source === undefined ? undefined : checker.getSymbolAtLocation(source)
    if (source === undefined || symbol === undefined) return []
    return [{ name, purpose: headOf(source), modules: checker.getExportsOfModule(symbol) }]
  })
  const exported = given
    .flatMap(({ modules }) => modules)
    .flatMap((module) => checker.getExportsOfModule(resolved(checker, module)))
  const reader: Reader = { checker, known: new Set(exported.map((one) => resolved(checker, one))) }
  return given.map(({ modules, name, purpose }) => ({
    name,
    purpose,
    modules: modules.flatMap((module) => readModule(root, reader, module))
  }))
}
