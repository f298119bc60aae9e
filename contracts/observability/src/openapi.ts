// SPDX-License-Identifier: Apache-2.0
/** The OpenAPI 3.1 document, made from the endpoint table. */
import {
  answersToAll,
  createSchemaWriter,
  type DocumentedOperation,
  type DocumentedParameter,
  describeDocument,
  type JsonSchema,
  jsonContent,
  type OpenApiDocument,
  pathParameters,
  pathsOf,
  queryParameters,
  refusalsByStatus,
  type SchemaWriter,
  withExclusiveUnions,
} from '@sextant/foundation-contract';
import type { TSchema } from 'typebox';
import { DESCRIPTIONS } from './descriptions/descriptions.ts';
import type { Endpoint, Requirement } from './endpoints/endpoint.ts';
import { errorsOf } from './endpoints/possible-errors.ts';
import { endpoints } from './endpoints.ts';
import { ApiError, type ErrorCode } from './errors.ts';
import recorded from './examples.json' with { type: 'json' };

export type DocumentOptions = {
  readonly version: string;
  /** Where the service is reached; where it is asked, unless somebody knows better. */
  readonly serverUrl?: string | undefined;
};

export function observabilityDocument({ version, serverUrl = '/' }: DocumentOptions): OpenApiDocument {
  const writer = createSchemaWriter();
  const paths = pathsOf(
    Object.entries<Endpoint>(endpoints).map(
      ([id, endpoint]) => [endpoint.path, endpoint.method, operationOf(id, endpoint, writer)] as const,
    ),
  );
  return describeDocument(
    withExclusiveUnions({
      openapi: '3.1.0',
      info: {
        title: 'Sextant data observability',
        version,
        description: 'Scans data in place, measures their quality, and reports violations.',
      },
      servers: [{ url: serverUrl }],
      security: [{ bearer: [] }, { apiKey: [] }],
      paths,
      components: {
        schemas: { ...writer.components(), Error: ERROR_SCHEMA },
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'An access token, from POST /auth/token or the configured issuer.' },
          apiKey: { type: 'apiKey', in: 'header', name: 'X-TLM-Key' },
          platform: { type: 'http', scheme: 'bearer', description: 'The token of the operator of the platform.' },
        },
      },
    }),
    DESCRIPTIONS,
  );
}

const ERROR = { $ref: '#/components/schemas/Error' };

const ERROR_SCHEMA = {
  type: 'object',
  required: ['message', 'description'],
  properties: {
    message: { type: 'string', description: 'What is wrong, as a sentence.' },
    description: { type: 'string', description: 'The phrase of the status, such as Not Found.' },
  },
} as const;

/** What a service was sent and answered; see `record:examples`. */
const EXAMPLES: { readonly [operation: string]: { readonly request?: unknown; readonly response: unknown } | undefined } = recorded;

function operationOf(operationId: string, endpoint: Endpoint, writer: SchemaWriter): DocumentedOperation {
  const { path, aliases, tag, summary, needs } = endpoint;
  const also = aliases.length === 0 ? [] : [`Also at ${aliases.map((alias) => `\`${alias}\``).join(', ')}.`];
  const description = [...needsInWords(needs), ...also].join(' ');
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description === '' ? {} : { description }),
    ...securityOf(needs),
    parameters: [...pathParameters(path, {}, writer), ...parametersOf(endpoint, writer)],
    ...requestBodyOf(operationId, endpoint, writer),
    responses: { 200: answerOf(operationId, endpoint, writer), ...failuresOf(endpoint), ...answersToAll(ERROR) },
  };
}

function needsInWords(needs: Requirement): readonly string[] {
  switch (needs.scope) {
    case 'public':
      return [];
    case 'platform':
      return ['Needs the token of the operator of the platform.'];
    case 'self':
      return ['For the user of the path, or with the role admin.'];
    case 'tenant':
      return [`Needs the role ${needs.role}.`];
    case 'projects':
      return [`Needs the role ${needs.role}, in the tenant or in the project of each.`];
    case 'project':
      return [`Needs the role ${needs.role}, in the tenant or in the project.`];
  }
}

function securityOf({ scope }: Requirement): { readonly security?: readonly object[] } {
  if (scope === 'public') return { security: [{}] };
  return scope === 'platform' ? { security: [{ platform: [] }] } : {};
}

/** Parameters that may also come as a body are never required in the query string; an object among them only comes in JSON. */
function parametersOf({ query, body, bodyKind }: Endpoint, writer: SchemaWriter): readonly DocumentedParameter[] {
  const listed = query === undefined ? [] : queryParameters(resolved(query), writer);
  if (bodyKind !== 'parameters' || body === undefined) return listed;
  const members = queryParameters(resolved(body), writer).filter(({ schema }) => schema.type !== 'object');
  return [...listed, ...members.map((parameter) => ({ ...parameter, required: false }))];
}

/** A schema whose members are written where it is used, not as a component. */
function resolved<S extends object>(schema: S): S {
  return { ...schema, title: undefined };
}

function requestBodyOf(
  operationId: string,
  { body, bodyKind, bodyOptional }: Endpoint,
  writer: SchemaWriter,
): Pick<DocumentedOperation, 'requestBody'> {
  if (bodyKind === 'stream') return { requestBody: { required: true, content: { 'application/octet-stream': { schema: {} } } } };
  if (body === undefined) return {};
  const schema = bodyKind === 'parameters' ? writtenParameters(body, writer) : writer.write(body);
  const form = bodyKind === 'parameters' ? { 'application/x-www-form-urlencoded': { schema: ofTexts(schema, writer) } } : {};
  return {
    requestBody: {
      required: bodyKind !== 'parameters' && bodyOptional !== true,
      content: { ...jsonContent(schema, EXAMPLES[operationId]?.request), ...form },
    },
  };
}

/** A form carries texts alone. */
function ofTexts(schema: JsonSchema, writer: SchemaWriter): JsonSchema {
  const { properties = {}, ...others } = writer.components()[String(schema.$ref).replace(/^.*\//, '')] ?? schema;
  const texts = Object.entries(properties).filter(([, { type }]) => type !== 'object');
  return texts.length === Object.keys(properties).length ? schema : { ...others, properties: Object.fromEntries(texts) };
}

/** None has to be in the body, since each may come in the query string. */
function writtenParameters(body: TSchema, writer: SchemaWriter): JsonSchema {
  const { title } = body as { readonly title?: string };
  const { required: _, ...members } = writer.write({ ...body, title: undefined });
  return title === undefined ? members : writer.name(`${title}Parameters`, members);
}

type Answer = DocumentedOperation['responses'][string];

function answerOf(operationId: string, { result, media }: Endpoint, writer: SchemaWriter): Answer {
  const schema = writer.write(result);
  const example = EXAMPLES[operationId]?.response;
  const content = media === undefined ? jsonContent(schema, example) : { [media]: { schema, ...(example !== undefined && { example }) } };
  return { description: 'Success', content };
}

/** Errors whose whole sentence depends on the case. */
const WORDED_BY_CASE: { readonly [code in ErrorCode]?: string } = {
  bad_request: 'The request is not valid; the sentence names the member, what is wrong and what is expected',
  source_refused: 'The source cannot be read as it is configured; the sentence says why',
  conflict: 'The request conflicts with stored data; the sentence says how',
};

function failuresOf(endpoint: Endpoint): { readonly [status: string]: Answer } {
  const refusals = errorsOf(endpoint).map((code) => {
    const { status, message } = new ApiError(code);
    return [status, WORDED_BY_CASE[code] ?? message] as const;
  });
  return refusalsByStatus(refusals, ERROR);
}
