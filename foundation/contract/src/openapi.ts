// SPDX-License-Identifier: Apache-2.0
/** The parts of an OpenAPI 3.1 document that every service writes alike. */
import type { TSchema } from 'typebox';
import type { JsonSchema, SchemaWriter } from './openapi-schemas.ts';

export type OpenApiDocument = {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: { readonly [path: string]: { readonly [method: string]: DocumentedOperation } };
  readonly components: { readonly schemas: { readonly [name: string]: JsonSchema }; readonly securitySchemes: object };
  readonly [member: string]: unknown;
};

export type DocumentedOperation = {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security?: readonly object[];
  readonly parameters: readonly DocumentedParameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: DocumentedContent };
  readonly responses: { readonly [status: string]: { readonly description: string; readonly content?: DocumentedContent } };
};

export type DocumentedParameter = {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
};

type DocumentedContent = { readonly [mediaType: string]: { readonly schema: JsonSchema; readonly example?: unknown } };

/** Operations by path and method, as a document lists them. */
export function pathsOf(
  operations: Iterable<readonly [path: string, method: string, operation: DocumentedOperation]>,
): OpenApiDocument['paths'] {
  const paths: { [path: string]: { [method: string]: DocumentedOperation } } = {};
  for (const [path, method, operation] of operations) paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  return paths;
}

/** The names in braces of a path, with what each may be. */
export function pathParameters(
  path: string,
  schemas: { readonly [name: string]: TSchema },
  writer: SchemaWriter,
): readonly DocumentedParameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const schema = schemas[name];
    return { name, in: 'path', required: true, schema: schema === undefined ? { type: 'string', minLength: 1 } : writer.write(schema) };
  });
}

/** The members of a query string. */
export function queryParameters(query: TSchema | undefined, writer: SchemaWriter): readonly DocumentedParameter[] {
  const { properties = {}, required = [] } = query === undefined ? {} : writer.write(query);
  return Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', required: required.includes(name), schema }));
}

/** What any request may be answered before there is an operation for it; `schema` is that of refusals outside of all operations. */
export function answersToAll(schema: JsonSchema): DocumentedOperation['responses'] {
  return { 431: { description: 'The address and headers of the request together exceed 16 KiB', content: jsonContent(schema) } };
}

/** Refusals by their status; several with the same status have their sentences in one description. */
export function refusalsByStatus(
  refusals: Iterable<readonly [status: number, sentence: string]>,
  schema: JsonSchema,
): { [status: string]: DocumentedOperation['responses'][string] } {
  const answers: { [status: string]: DocumentedOperation['responses'][string] } = {};
  for (const [status, sentence] of refusals) {
    const known = answers[status];
    const description = known === undefined ? sentence : `${known.description}; ${sentence}`;
    answers[status] = { description, content: jsonContent(schema) };
  }
  return answers;
}

/** A body of JSON, or an answer in it. */
export function jsonContent(schema: JsonSchema, example?: unknown): DocumentedContent {
  return { 'application/json': { schema, ...(example !== undefined && { example }) } };
}
