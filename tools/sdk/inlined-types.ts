// SPDX-License-Identifier: Apache-2.0
/**
 * Declarations that stand alone. The SDK takes the types of requests and answers from the contracts, which have them from their schemas; here
 * each of them is evaluated by the compiler and written down, so that the published package needs neither the contracts nor TypeBox.
 */
import {
  API,
  type Checker,
  type Symbol as MemberSymbol,
  NodeBuilderFlags,
  type Project,
  SymbolFlags,
  type Type,
  TypeFlags,
  type TypeReference,
} from 'typescript/unstable/sync';

/** Types of the SDK's own files that requests and answers are made of, and where these are, seen from `contract`. */
const IMPORTED = new Map([
  ['JsonObject', '../json.ts'],
  ['UploadBody', '../http/upload-body.ts'],
]);

const PLAIN = NodeBuilderFlags.NoTruncation | NodeBuilderFlags.UseSingleQuotesForStringLiteralType;

/** What the schemas say of a member, `Type.member`, or of a type. */
export type CommentOf = (subject: string) => string | undefined;

export type TypeInliner = {
  /** The exported types of a file, each in place of what it is computed from. */
  inline(file: string, commentOf: CommentOf): string;
  close(): void;
};

export function openTypeInliner(configFile: string): TypeInliner {
  const api = new API();
  const project = api.updateSnapshot({ openProjects: [configFile] }).getProject(configFile);
  if (project === undefined) throw new Error(`the compiler does not open ${configFile}`);
  return { inline: (file, commentOf) => inline(project, file, commentOf), close: () => api.close() };
}

function inline({ program, checker }: Project, file: string, commentOf: CommentOf): string {
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${file} is no module of the project`);
  const declared = checker.getExportsOfModule(module).map((symbol) => ({ symbol, type: checker.getDeclaredTypeOfSymbol(symbol) }));
  const printer = createPrinter(checker, namesOf(declared.map(({ symbol, type }) => ({ name: symbol.name, type }))), commentOf);
  const texts = declared.map(({ symbol, type }) => {
    const comment = checker.getDocumentationCommentOfSymbol(symbol) || commentOf(symbol.name);
    return `${commentText(comment, '')}export type ${symbol.name} = ${printer.declaration(type, symbol.name)};\n`;
  });
  const imports = [...IMPORTED].filter(([name]) => printer.imported.has(name));
  return [imports.map(([name, path]) => `import type { ${name} } from '${path}';\n`).join(''), ...texts].join('\n');
}

/** A union is what it consists of, whatever else it is known as; another type consists of itself. */
type Name = { readonly name: string; readonly ids: ReadonlySet<number> };

/** The largest unions first; of names for the same type the first. */
function namesOf(types: readonly { readonly name: string; readonly type: Type }[]): readonly Name[] {
  const names = new Map<string, Name>();
  for (const { name, type } of types) {
    const ids = partsOf(type).map(({ id }) => id);
    const key = ids.toSorted((a, b) => a - b).join();
    const isStructure = importedNameOf(type) === undefined && partsOf(type).some((part) => part.isObjectType());
    if (isStructure && !names.has(key)) names.set(key, { name, ids: new Set(ids) });
  }
  return [...names.values()].toSorted((a, b) => b.ids.size - a.ids.size);
}

type Printer = {
  declaration(type: Type, name: string): string;
  /** Names of `IMPORTED` that were met. */
  readonly imported: ReadonlySet<string>;
};

function createPrinter(checker: Checker, names: readonly Name[], commentOf: CommentOf): Printer {
  const imported = new Set<string>();
  const open = new Set<number>();

  /** What may be missing comes last. A type that is declared is not written by its own name. */
  function textOf(type: Type, indent: string, declared = ''): string {
    const left = new Map(partsOf(type).map((part) => [part.id, part]));
    const texts: string[] = [];
    for (const { name, ids } of names) {
      if (name === declared || ![...ids].every((id) => left.has(id))) continue;
      texts.push(name);
      for (const id of ids) left.delete(id);
    }
    const parts = [...left.values()];
    const present = parts.filter((part) => !isAbsence(part)).map((part) => partText(part, indent, declared));
    const absent = parts.filter(isAbsence).map((part) => checker.typeToString(part));
    return [...texts, ...withBoolean(present), ...absent.toSorted()].join(' | ');
  }

  function partText(type: Type, indent: string, declared: string): string {
    const importedName = importedNameOf(type);
    if (importedName !== undefined) {
      imported.add(importedName);
      return importedName;
    }
    if (!type.isObjectType()) return checker.typeToString(type, undefined, PLAIN);
    if (open.has(type.id)) throw new Error(`a type that holds itself needs a name: ${checker.typeToString(type)}`);
    open.add(type.id);
    const text = type.isTypeReference() ? referenceText(type, indent) : objectText(type, indent, declared);
    open.delete(type.id);
    return text;
  }

  function referenceText(type: TypeReference, indent: string): string {
    const [item] = checker.getTypeArguments(type);
    // Typed arrays have had a parameter since TypeScript 5.7.
    if (!checker.isArrayType(type) || item === undefined) {
      return checker.typeToString(type, undefined, PLAIN).replaceAll('<ArrayBufferLike>', '');
    }
    const text = textOf(item, indent);
    const isPlain = partsOf(item).length === 1 || /^\w+$/.test(text);
    return `readonly ${isPlain && !text.startsWith('readonly ') ? text : `(${text})`}[]`;
  }

  function objectText(type: Type, indent: string, declared: string): string {
    const [index] = checker.getIndexInfosOfType(type);
    if (index !== undefined) return `{ readonly [name: string]: ${textOf(index.valueType, indent)} }`;
    const { name = '' } = type.getSymbol() ?? {};
    const members = checker.getPropertiesOfType(type).map((member) => memberText(member, `${indent}  `, declared || name));
    return members.length === 0 ? 'object' : `{\n${members.join('')}${indent}}`;
  }

  function memberText(member: MemberSymbol, indent: string, owner: string): string {
    const type = checker.getTypeOfSymbol(member);
    if (type === undefined) throw new Error(`${owner}.${member.name} has no type`);
    const comment = checker.getDocumentationCommentOfSymbol(member) || commentOf(`${owner}.${member.name}`);
    const key = /^\w+$/.test(member.name) ? member.name : `'${member.name}'`;
    const mark = (member.flags & SymbolFlags.Optional) === 0 ? '' : '?';
    return `${commentText(comment, indent)}${indent}readonly ${key}${mark}: ${textOf(type, indent)};\n`;
  }

  return { declaration: (type, name) => textOf(type, '', name), imported };
}

function importedNameOf(type: Type): string | undefined {
  const alias = type.getAliasSymbol()?.name;
  return alias !== undefined && IMPORTED.has(alias) ? alias : undefined;
}

function partsOf(type: Type): readonly Type[] {
  return type.isUnionType() ? type.getTypes() : [type];
}

function isAbsence({ flags }: Type): boolean {
  return (flags & (TypeFlags.Null | TypeFlags.Undefined)) !== 0;
}

/** To the compiler a union of two. */
function withBoolean(texts: readonly string[]): readonly string[] {
  if (!texts.includes('true') || !texts.includes('false')) return texts;
  return [...texts.filter((text) => text !== 'true' && text !== 'false'), 'boolean'];
}

function commentText(text: string | undefined, indent: string): string {
  return text === undefined || text === '' ? '' : `${indent}/** ${text.replaceAll(/\s+/g, ' ')} */\n`;
}
