// Which types of our own sources stand in which public signature; those that no entry point exports, a user cannot write.
import { join, relative } from "node:path"
import ts from "typescript"
import { entryPoints, isTypeOnly, resolved } from "./Exports.ts"

interface Public {
  /** As a user writes it: `Tokens.Purpose`. */
  readonly name: string
  readonly symbol: ts.Symbol
  /** Whether an internal type is given by its name: what is inside of it, users do not write. */
  readonly isOpaque: boolean
}

const publicOf = (root: string, program: ts.Program): ReadonlyArray<Public> => {
  const checker = program.getTypeChecker()
  const exportsOf = (symbol: ts.Symbol | undefined) => (symbol === undefined ? [] : checker.getExportsOfModule(symbol))
  return entryPoints(root).flatMap(([, folder]) => {
    const source = program.getSourceFile(join(root, folder, "index.ts"))
    return exportsOf(source && checker.getSymbolAtLocation(source)).flatMap((given) =>
      exportsOf(resolved(checker, given)).map((one) => {
        return { name: `${given.name}.${one.name}`, symbol: resolved(checker, one), isOpaque: isTypeOnly(one) }
      })
    )
  })
}

// An alias is another way to write what it stands for: that has to have a name.
const isNamed = (node: ts.Declaration): node is ts.InterfaceDeclaration | ts.ClassDeclaration =>
  ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node)

/** What a class gives to the one that it extends: `Context.Tag("…")<Self, Shape>()`. */
const givenTypes = (node: ts.ClassDeclaration): ReadonlyArray<ts.TypeNode> =>
  (node.heritageClauses ?? []).flatMap(({ types }) =>
    types.flatMap(({ expression, typeArguments = [] }) => [
      ...typeArguments,
      ...(ts.isCallExpression(expression) ? (expression.typeArguments ?? []) : [])
    ])
  )

// In a type that is declared, every name stands as it is written; what a body does is no part of it.
const typesIn = (node: ts.Node): ReadonlyArray<ts.EntityName | ts.Expression> => {
  const found: Array<ts.EntityName | ts.Expression> = []
  const walk = (node: ts.Node): void => {
    if (ts.isBlock(node)) return
    if (ts.isTypeReferenceNode(node)) found.push(node.typeName)
    if (ts.isExpressionWithTypeArguments(node)) found.push(node.expression)
    ts.forEachChild(node, walk)
  }
  walk(node)
  return found
}

export interface Mentions {
  /** By the name of a public export, `Jobs.EnqueueOptions`: the others in whose signatures it stands, in their order. */
  readonly mentioned: Readonly<Record<string, ReadonlyArray<string>>>
  /** The types that no entry point exports as `file: Name, in Module.export`, sorted. */
  readonly unnamed: ReadonlyArray<string>
}

/** Reads the signatures of all that is public; `root` is that of the repository. */
export const read = (root: string, program: ts.Program): Mentions => {
  const checker = program.getTypeChecker()
  const all = publicOf(root, program)
  // Two modules can give the same type.
  const nameable = new Map(
    all.map(({ symbol }) => [symbol, all.flatMap((one) => (one.symbol === symbol ? [one.name] : []))])
  )
  const found = new Map<ts.Symbol, string>()
  const mentioned = new Map(all.map(({ name }) => [name, new Set<string>()]))
  const opaque = new Set(all.flatMap(({ isOpaque, name }) => (isOpaque ? [name] : [])))
  let seen = new Set<ts.Type>()

  const isOurs = (node: ts.Declaration): boolean => {
    const path = relative(root, node.getSourceFile().fileName)
    return !path.startsWith("..") && !path.includes("node_modules")
  }

  /** Whether the symbol is public: then it is told of where it is declared. */
  const isTold = (symbol: ts.Symbol | undefined, where: string): boolean => {
    const names = symbol === undefined ? undefined : nameable.get(symbol)
    for (const name of names ?? []) if (name !== where) mentioned.get(name)?.add(where)
    return names !== undefined
  }

  const signature = (given: ts.Signature, where: string): void => {
    for (const parameter of given.getParameters()) visit(checker.getTypeOfSymbol(parameter), where)
    visit(given.getReturnType(), where)
  }

  const inside = (type: ts.Type, where: string): void => {
    if ((type.flags & ts.TypeFlags.Object) === 0) return
    for (const one of [...type.getCallSignatures(), ...type.getConstructSignatures()]) signature(one, where)
    for (const property of type.getProperties()) {
      if (property.declarations?.some(isOurs) === true) visit(checker.getTypeOfSymbol(property), where)
    }
    for (const { type: value } of checker.getIndexInfosOfType(type)) visit(value, where)
  }

  const isObject = (type: ts.Type): type is ts.ObjectType => (type.flags & ts.TypeFlags.Object) !== 0

  const isReference = (type: ts.Type): type is ts.TypeReference => isObject(type) && "target" in type

  // Types of Effect are read only as far as what is given to them: all else is public there.
  const visit = (type: ts.Type, where: string): void => {
    if (seen.has(type)) return
    seen.add(type)
    for (const one of type.aliasTypeArguments ?? []) visit(one, where)
    if (isTold(type.aliasSymbol, where)) return
    if (type.isUnionOrIntersection()) for (const one of type.types) visit(one, where)
    if (isReference(type)) for (const one of checker.getTypeArguments(type)) visit(one, where)
    const symbol: ts.Symbol | undefined = type.getSymbol()
    if (symbol?.declarations?.some(isOurs) !== true) {
      // A function that `Effect.fn` has made.
      const isAnonymous = isObject(type) && (type.objectFlags & ts.ObjectFlags.Anonymous) !== 0
      if (isAnonymous) for (const one of type.getCallSignatures()) signature(one, where)
      return
    }
    if (symbol.declarations.some(isNamed)) {
      if (!isTold(symbol, where) && !opaque.has(where) && !found.has(symbol)) found.set(symbol, where)
    } else inside(type, where)
  }

  /** The names that a declaration spells, also behind an alias or an interface that is not public. */
  const spelled = (node: ts.Node, where: string, read: Set<ts.Symbol>): void => {
    for (const one of typesIn(node)) {
      const given = checker.getSymbolAtLocation(one)
      const symbol = given && resolved(checker, given)
      if (symbol === undefined || isTold(symbol, where) || read.has(symbol)) continue
      read.add(symbol)
      for (const other of symbol.declarations ?? []) {
        const isRead = ts.isTypeAliasDeclaration(other) || ts.isInterfaceDeclaration(other)
        if (isRead && isOurs(other)) spelled(other, where, read)
      }
    }
  }

  /** What a declaration says: the members of an interface or a class, the shape of a service, the type of a value. */
  const declared = ({ name, symbol }: Public): void => {
    for (const node of symbol.declarations ?? []) {
      spelled(node, name, new Set())
      if (ts.isClassDeclaration(node)) {
        for (const one of givenTypes(node)) visit(checker.getTypeFromTypeNode(one), name)
      }
      if (isNamed(node)) {
        for (const member of node.members) visit(checker.getTypeAtLocation(member), name)
      } else if (ts.isTypeAliasDeclaration(node)) {
        const type = checker.getTypeFromTypeNode(node.type)
        if (type.isUnionOrIntersection()) for (const one of type.types) visit(one, name)
        else inside(type, name)
      } else visit(checker.getTypeOfSymbolAtLocation(symbol, node), name)
    }
  }

  for (const one of all) {
    seen = new Set()
    declared(one)
  }
  const unnamed = Array.from(found, ([symbol, where]) => {
    const [node] = symbol.declarations ?? []
    return `${relative(root, node?.getSourceFile().fileName ?? "")}: ${symbol.name}, in ${where}`
  })
  return {
    mentioned: Object.fromEntries(Array.from(mentioned, ([name, users]) => [name, [...users]])),
    unnamed: unnamed.sort()
  }
}
