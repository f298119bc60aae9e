// SPDX-License-Identifier: Apache-2.0
/** Gives each member and parameter of an OpenAPI document the sentence that says what it means, from a table by name. */
import type { DocumentedParameter, OpenApiDocument } from './openapi.ts';

type Sentences = { readonly [name: string]: string };

/** By the name of a member, or by its schema (its operation, where no schema has a name) and name, such as `Monitor.id`, which goes first. */
export type Descriptions = {
  readonly members: readonly Sentences[];
  /** Of paths and query strings; a parameter that is not here is described as a member of that name. */
  readonly parameters: Sentences;
};

/** What has a description of its own keeps it. */
export function describeDocument(document: OpenApiDocument, { members, parameters }: Descriptions): OpenApiDocument {
  const ofMembers = new Map(members.flatMap((table) => Object.entries(table)));
  const ofParameters = new Map(Object.entries(parameters));

  function sentenceOf(tables: readonly ReadonlyMap<string, string>[], owner: string, name: string): string | undefined {
    for (const table of tables) {
      const sentence = table.get(`${owner}.${name}`) ?? table.get(name);
      if (sentence !== undefined) return sentence;
    }
    return undefined;
  }

  function described(node: unknown, owner: string): unknown {
    if (Array.isArray(node)) return node.map((each) => described(each, owner));
    if (!isObject(node)) return node;
    return Object.fromEntries(
      Object.entries(node).map(([keyword, value]) => {
        if (keyword === 'properties' && isObject(value)) return [keyword, describedMembers(value, owner)];
        if (keyword === 'parameters' && Array.isArray(value)) return [keyword, value.map((each) => describedParameter(each, owner))];
        return [keyword, keyword === 'example' ? value : described(value, owner)];
      }),
    );
  }

  function describedMembers(properties: object, owner: string): object {
    return Object.fromEntries(
      Object.entries(properties).map(([name, schema]: [string, unknown]) => {
        const inner = described(schema, owner);
        return [name, isObject(inner) ? withSentence(inner, () => sentenceOf([ofMembers], owner, name)) : inner];
      }),
    );
  }

  function describedParameter(parameter: unknown, owner: string): unknown {
    const inner = described(parameter, owner);
    if (!isObject(inner) || !('name' in inner) || ('schema' in inner && isObject(inner.schema) && 'description' in inner.schema))
      return inner;
    return withSentence(inner, () => sentenceOf([ofParameters, ofMembers], owner, String(inner.name)));
  }

  const paths = Object.entries(document.paths).map(([path, operations]) => [
    path,
    Object.fromEntries(
      Object.entries(operations).map(([method, operation]) => [method, described(operation, operation.operationId) as typeof operation]),
    ),
  ]);
  const schemas = Object.entries(document.components.schemas).map(([title, schema]) => [title, described(schema, title) as typeof schema]);
  return {
    ...document,
    paths: Object.fromEntries(paths),
    components: { ...document.components, schemas: Object.fromEntries(schemas) },
  };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withSentence(schema: object, sentence: () => string | undefined): object {
  if ('description' in schema) return schema;
  const description = sentence();
  return description === undefined ? schema : { ...schema, description };
}

type Documented = { readonly owner: string; readonly name: string; readonly description: string | undefined };

/** Every member and parameter, with its schema or operation. */
function documentedMembers(document: OpenApiDocument): readonly Documented[] {
  const found: Documented[] = [];
  const look = (node: unknown, owner: string): void => {
    if (Array.isArray(node)) for (const each of node) look(each, owner);
    if (!isObject(node)) return;
    for (const [keyword, value] of Object.entries(node)) {
      if (keyword === 'properties' && isObject(value))
        for (const [name, schema] of Object.entries(value)) found.push({ owner, name, description: descriptionOf(schema) });
      if (keyword === 'parameters' && Array.isArray(value))
        for (const parameter of value as DocumentedParameter[]) {
          const description = descriptionOf(parameter) ?? descriptionOf(parameter.schema);
          found.push({ owner, name: parameter.name, description });
        }
      if (keyword !== 'example') look(value, owner);
    }
  };
  for (const operation of Object.values(document.paths).flatMap((operations) => Object.values(operations)))
    look(operation, operation.operationId);
  for (const [title, schema] of Object.entries(document.components.schemas)) look(schema, title);
  return found;
}

/** Members and parameters that no sentence describes, sentences for what is not there, and names that stand in two tables. */
export function descriptionFaults(document: OpenApiDocument, { members, parameters }: Descriptions): readonly string[] {
  const documented = documentedMembers(document);
  const said = new Set(
    documented.flatMap(({ owner, name, description }) => [`${owner}.${name}: ${description}`, `${name}: ${description}`]),
  );
  const sentences = [...members, parameters].flatMap((table) => Object.entries(table).map(([key, sentence]) => `${key}: ${sentence}`));
  const keys = members.flatMap((table) => Object.keys(table));
  return [
    ...documented
      .filter(({ description }) => !/^[^a-z].*\.$/s.test(description ?? ''))
      .map(({ owner, name, description }) => `no sentence: ${owner}.${name}: ${description}`),
    ...sentences.filter((sentence) => !said.has(sentence)).map((sentence) => `describes nothing: ${sentence}`),
    ...keys.filter((key, index) => keys.indexOf(key) !== index).map((key) => `described twice: ${key}`),
  ];
}

function descriptionOf(schema: unknown): string | undefined {
  return isObject(schema) && 'description' in schema ? String(schema.description) : undefined;
}
