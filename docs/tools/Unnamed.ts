// Types of our own sources that stand in a public signature, and that no entry point exports: a user cannot write them.
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

/** Each such type as `file: Name, in Module.export`, sorted; `root` is that of the repository. */
export const unnamed = (root: string, program: ts.Program): ReadonlyArray<string> => {
  const checker = program.getTypeChecker()
  const all = publicOf(root, program)
  const nameable = new Set(all.map(({ symbol }) => symbol))
  const found = new Map<ts.Symbol, string>()
  const seen = new Set<ts.Type>()

  const isOurs = (node: ts.Declaration): boolean => {
    const path = relative(root, node.getSourceFile().fileName)
    return !path.startsWith("..") && !path.includes("node_modules")
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

  const isReference = (type: ts.Type): type is ts.TypeReference =>
    (type.flags & ts.TypeFlags.Object) !== 0 && "target" in type

  // Types of Effect are read only as far as what is given to them: all else is public there.
  const visit = (type: ts.Type, where: string): void => {
    if (seen.has(type)) return
    seen.add(type)
    for (const one of type.aliasTypeArguments ?? []) visit(one, where)
    if (type.aliasSymbol !== undefined && nameable.has(type.aliasSymbol)) return
    if (type.isUnionOrIntersection()) for (const one of type.types) visit(one, where)
    if (isReference(type)) for (const one of checker.getTypeArguments(type)) visit(one, where)
    const symbol: ts.Symbol | undefined = type.getSymbol()
    if (symbol?.declarations?.some(isOurs) !== true) return
    if (symbol.declarations.some(isNamed)) {
      if (!nameable.has(symbol) && !found.has(symbol)) found.set(symbol, where)
    } else inside(type, where)
  }

  /** What a declaration says: the members of an interface or a class, the shape of a service, the type of a value. */
  const declared = ({ name, symbol }: Public): void => {
    for (const node of symbol.declarations ?? []) {
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

  for (const one of all) if (!one.isOpaque) declared(one)
  return Array.from(found, ([symbol, where]) => {
    const [node] = symbol.declarations ?? []
    return `${relative(root, node?.getSourceFile().fileName ?? "")}: ${symbol.name}, in ${where}`
  }).sort()
}
