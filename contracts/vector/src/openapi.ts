// SPDX-License-Identifier: Apache-2.0
/** The OpenAPI 3.1 document, made from the endpoint table. */
import {
  answersToAll,
  createSchemaWriter,
  type DocumentedOperation,
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
import { authMessageSchema as authError } from './auth-schemas.ts';
import { isServed, unavailable } from './capabilities.ts';
import { DESCRIPTIONS } from './descriptions/descriptions.ts';
import type { Endpoint, Requirement } from './endpoints/endpoint.ts';
import { pathParameterSchemas } from './endpoints/path-parameters.ts';
import { errorsOf } from './endpoints/possible-errors.ts';
import { endpoints } from './endpoints.ts';
import { type ErrorCode, ServiceError } from './errors.ts';
import recorded from './examples.json' with { type: 'json' };

/** What a service was sent and answered; see `record:examples`. */
const EXAMPLES: { readonly [operation: string]: { readonly request?: unknown; readonly response: unknown } | undefined } = recorded;

type Answer = DocumentedOperation['responses'][string];

/** Of a service with these capabilities. */
export function openApiDocument({
  version,
  capabilities = new Set(),
  serverUrl = '/',
}: {
  readonly version: string;
  readonly capabilities?: ReadonlySet<string>;
  /** Where clients reach the service; by default where they got the document. */
  readonly serverUrl?: string | undefined;
}): OpenApiDocument {
  const writer = createSchemaWriter();
  const served = Object.entries<Endpoint>(endpoints)
    .filter(([, endpoint]) => isServed(endpoint, capabilities))
    .map(([operation, endpoint]) => [endpoint.path, endpoint.method, operationObject(operation, endpoint, writer)] as const);
  const off = unavailable(capabilities).map(
    ({ title, method, path }) => [path, method, unavailableObject({ capability: title, method, path }, writer)] as const,
  );
  const paths = pathsOf([...served, ...off]);
  return describeDocument(
    withExclusiveUnions({
      openapi: '3.1.0',
      info: {
        title: 'Sextant vector database',
        version,
        description: 'Stores vectors with payloads in named collections and finds the nearest vectors.',
      },
      servers: [{ url: serverUrl }],
      security: [{}, { bearer: [] }, { apiKey: [] }],
      paths,
      components: {
        schemas: { ...writer.components(), ErrorReply, Usage },
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'The admin JWT or an access token.' },
          apiKey: { type: 'apiKey', in: 'header', name: 'api-key' },
        },
      },
    }),
    DESCRIPTIONS,
  );
}

const ERROR_REPLY = { $ref: '#/components/schemas/ErrorReply' };

const ErrorReply: JsonSchema = {
  type: 'object',
  required: ['time', 'status'],
  properties: {
    time: { type: 'number', format: 'double', description: 'Processing time in seconds.' },
    status: { type: 'object', required: ['error'], properties: { error: { type: 'string' } } },
  },
};

const Usage: JsonSchema = {
  type: 'object',
  description: 'Resource usage of the request, for compatibility with clients of this API; this service does not measure it.',
  properties: { hardware: { type: ['object', 'null'] } },
};

const NEEDS: { readonly [need in Exclude<Requirement, 'none'>]: string } = {
  read: 'Needs the permission `read` while enforcement is on.',
  write: 'Needs the permission `write` while enforcement is on.',
  admin: 'Needs the permission `admin` while enforcement is on.',
  admin_jwt: 'Needs the JWT of the admin, whether enforcement is on or off.',
  tokens: 'Needs the permission `admin`; refused while enforcement is off.',
  create_admin:
    'Only from the machine on which the server runs; browsers need the setup code. Once an admin exists, needs an admin credential while enforcement is on.',
  reset_password:
    'Only from the machine on which the server runs, with the JWT of the admin or the setup code; programs need neither while enforcement is off.',
};

function operationObject(operation: string, endpoint: Endpoint, writer: SchemaWriter): DocumentedOperation {
  const { tag, summary, needs, body, bodyOptional, upload } = endpoint;
  return {
    operationId: operation,
    tags: [tag],
    summary,
    ...(needs === 'none' ? { security: [{}] } : { description: NEEDS[needs] }),
    parameters: [...pathParameters(endpoint.path, pathParameterSchemas, writer), ...queryParameters(endpoint.query, writer)],
    ...(body === undefined
      ? {}
      : { requestBody: { required: bodyOptional !== true, content: requestContent(operation, { body, upload }, writer) } }),
    responses: {
      200: success(operation, endpoint, writer),
      ...accepted(endpoint),
      ...failures(endpoint, writer),
      ...answersToAll(ERROR_REPLY),
    },
  };
}

function requestContent(
  operation: string,
  { body, upload }: { readonly body: TSchema; readonly upload: string | undefined },
  writer: SchemaWriter,
) {
  if (upload === undefined) return jsonContent(writer.write(body), EXAMPLES[operation]?.request);
  const schema = { type: 'object', required: [upload], properties: { [upload]: { type: 'string', format: 'binary' } } };
  return { 'multipart/form-data': { schema } };
}

function success(operation: string, { result, envelope, media }: Endpoint, writer: SchemaWriter): Answer {
  const schema = writer.write(result);
  const example = EXAMPLES[operation]?.response;
  if (envelope === 'text')
    return { description: 'Success', content: { [media ?? 'text/plain']: { schema, ...(example !== undefined && { example }) } } };
  if (envelope === 'file') return { description: 'Success', content: { 'application/octet-stream': { schema } } };
  // A name for what surrounds each result: without one, generators of clients number them.
  const written = envelope === 'result' ? writer.name(`${titleOf(operation)}Response`, enveloped(schema)) : schema;
  return { description: 'Success', content: jsonContent(written, example) };
}

function titleOf(operation: string): string {
  return operation.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function accepted({ mayBeAccepted = false }: Endpoint): { readonly [status: string]: Answer } {
  if (!mayBeAccepted) return {};
  const { required, properties } = enveloped({});
  const { result: _result, ...others } = properties;
  const schema = {
    type: 'object',
    required: required.filter((name) => name !== 'result'),
    properties: { ...others, status: { const: 'accepted' } },
  };
  return { 202: { description: 'Started, for a caller that does not wait', content: jsonContent(schema) } };
}

function enveloped(result: JsonSchema) {
  return {
    type: 'object',
    required: ['usage', 'time', 'status', 'result'],
    properties: {
      usage: { $ref: '#/components/schemas/Usage' },
      time: { type: 'number', format: 'double', description: 'Processing time in seconds.' },
      status: { type: 'string', enum: ['ok'] },
      result,
    },
  };
}

/** Errors whose whole sentence depends on the case. */
const WORDED_BY_CASE: { readonly [code in ErrorCode]?: string } = {
  invalid_request: 'The request is not valid; the text names the member, what is wrong and what is expected',
  forbidden: 'The credential is valid but does not suffice; the text says why',
};

function statusAndSentence(code: ErrorCode): readonly [status: number, sentence: string] {
  const { restStatus, message } = new ServiceError(code);
  return [restStatus, WORDED_BY_CASE[code] ?? message];
}

function failures(endpoint: Endpoint, writer: SchemaWriter): { readonly [status: string]: Answer } {
  const { refusal, refusals = {} } = endpoint;
  const usual = refusal === 'message' ? writer.write(authError) : ERROR_REPLY;
  const replies = refusalsByStatus(errorsOf(endpoint).map(statusAndSentence), usual);
  for (const [status, { description, schema, media = 'application/json' }] of Object.entries(refusals)) {
    replies[status] = { description, content: { [media]: { schema: writer.write(schema) } } };
  }
  return replies;
}

function unavailableObject(
  { capability, method, path }: { readonly capability: string; readonly method: string; readonly path: string },
  writer: SchemaWriter,
): DocumentedOperation {
  return {
    operationId: `${method.toLowerCase()}_${path.replaceAll(/[^a-z]+/g, '_').replaceAll(/^_|_$/g, '')}`,
    tags: ['Not implemented'],
    summary: `Answers 501: ${capability}`,
    parameters: pathParameters(path, {}, writer),
    responses: {
      ...answersToAll(ERROR_REPLY),
      ...refusalsByStatus([...ACCESS_OF_UNAVAILABLE.map(statusAndSentence), [501, 'Not implemented']], ERROR_REPLY),
    },
  };
}

/** What stands before every route. */
const ACCESS_OF_UNAVAILABLE = ['unauthorized', 'forbidden', 'engine_not_initialized', 'overloaded', 'shutting_down'] as const;
