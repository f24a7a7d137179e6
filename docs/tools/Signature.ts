// A type on one line, as a reader wants it: short names, unions in a fixed order, nothing longer than a line or two.
import ts from "typescript"

/** What a signature may take; beyond it type arguments are left out. */
export const longest = 180

const { factory } = ts
const printer = ts.createPrinter({ removeComments: true })

const lowered = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1)

const lastName = (name: ts.EntityName): string => (ts.isIdentifier(name) ? name.text : name.right.text)

// A parameter that is taken apart has no name; its type has.
const named = (parameter: ts.ParameterDeclaration): ts.ParameterDeclaration => {
  const { dotDotDotToken, modifiers, name, questionToken, type } = parameter
  if (ts.isIdentifier(name) && !/^args_\d/.test(name.text)) return parameter
  const told = type !== undefined && ts.isTypeReferenceNode(type) ? lowered(lastName(type.typeName)) : "options"
  return factory.updateParameterDeclaration(
    parameter,
    modifiers,
    dotDotDotToken,
    factory.createIdentifier(told),
    questionToken,
    type,
    undefined
  )
}

// `Effect.Effect` says no more than `Effect`.
const shortened = (name: ts.EntityName): ts.EntityName =>
  ts.isQualifiedName(name) && lastName(name.left) === name.right.text ? name.right : name

const argumentsLeftOut = factory.createNodeArray([factory.createTypeReferenceNode("…")])

type Print = (node: ts.Node) => string

// The compiler's order of a union changes with code that has nothing to do with it.
const sorted = (union: ts.UnionTypeNode, print: Print): ts.TypeNode => {
  const types = Array.from(new Map(union.types.map((type) => [print(type), type])))
  types.sort(([a], [b]) => (a < b ? -1 : 1))
  const [first, ...others] = types.map(([, type]) => type)
  return first !== undefined && others.length === 0
    ? first
    : factory.createUnionTypeNode([first, ...others].flatMap((type) => type ?? []))
}

// So does its order of the members that it has computed.
const ordered = (literal: ts.TypeLiteralNode): ts.TypeNode => {
  const nameOf = ({ name }: ts.TypeElement): string => (name !== undefined && ts.isIdentifier(name) ? name.text : "")
  return factory.createTypeLiteralNode(literal.members.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)))
}

const tidied = (node: ts.Node, print: Print): ts.Node => {
  if (ts.isUnionTypeNode(node)) return sorted(node, print)
  if (ts.isTypeLiteralNode(node)) return ordered(node)
  if (ts.isParameter(node)) return named(node)
  if (!ts.isTypeReferenceNode(node)) return node
  return factory.updateTypeReferenceNode(node, shortened(node.typeName), node.typeArguments)
}

const elided = (node: ts.Node): ts.Node =>
  ts.isTypeReferenceNode(node) && node.typeArguments !== undefined
    ? factory.updateTypeReferenceNode(node, node.typeName, argumentsLeftOut)
    : node

/** The text of a type after a change of its nodes, the innermost first. */
const changed = (text: string, change: (node: ts.Node, print: Print) => ts.Node): string => {
  const source = ts.createSourceFile("type.ts", `type _ = ${text}`, ts.ScriptTarget.ES2022, true)
  const print: Print = (node) =>
    printer.printNode(ts.EmitHint.Unspecified, node, source).replace(/\s+/g, " ").replace(/; }/g, " }")
  const { transformed } = ts.transform(source, [
    (context) => (root) => {
      const visit = (node: ts.Node): ts.Node => change(ts.visitEachChild(node, visit, context), print)
      return ts.visitEachChild(root, visit, context)
    }
  ])
  const [alias] = transformed[0]?.statements ?? []
  return alias !== undefined && ts.isTypeAliasDeclaration(alias) ? print(alias.type) : text
}

/** One line for the text of a type. */
export const compact = (text: string): string => {
  const whole = changed(text, tidied)
  if (whole.length <= longest) return whole
  const short = changed(whole, (node, print) => tidied(elided(node), print))
  return short.length <= longest ? short : `${short.slice(0, longest)}…`
}
