/** The OpenAPI 3.1 document, made from the endpoint table. */
import type { TSchema } from 'typebox';
import { authMessageSchema as authError } from './auth-schemas.ts';
import { capabilities } from './capabilities.ts';
import type { Endpoint, Requirement } from './endpoints/endpoint.ts';
import { endpoints } from './endpoints.ts';
import { type ErrorCode, ServiceError } from './errors.ts';
import { createSchemaWriter, type JsonSchema, type SchemaWriter } from './openapi-schemas.ts';

export type OpenApiDocument = {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: { readonly [path: string]: { readonly [method: string]: unknown } };
  readonly components: { readonly schemas: { readonly [name: string]: JsonSchema }; readonly securitySchemes: object };
  readonly [member: string]: unknown;
};

/** What any endpoint can answer, besides what its row in the table says. */
const EVERYWHERE = ['invalid_request', 'unauthorized', 'forbidden', 'engine_not_initialized'] as const satisfies readonly ErrorCode[];

export function openApiDocument({ version }: { readonly version: string }): OpenApiDocument {
  const writer = createSchemaWriter();
  const paths: { [path: string]: { [method: string]: unknown } } = {};
  const add = (path: string, method: string, operation: object) => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  };
  for (const [operation, endpoint] of Object.entries<Endpoint>(endpoints)) {
    add(endpoint.path, endpoint.method, operationObject(operation, endpoint, writer));
  }
  for (const capability of capabilities) {
    for (const { method, path } of capability.endpoints) {
      add(path, method, unavailableObject(capability.name, method, path));
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sextant vector database',
      version,
      description: 'Stores vectors with payloads in named collections, and finds the nearest.',
    },
    servers: [{ url: '/' }],
    security: [{}, { bearer: [] }, { apiKey: [] }],
    paths,
    components: {
      schemas: { ...writer.components(), ErrorReply },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The admin JWT or an access token.' },
        apiKey: { type: 'apiKey', in: 'header', name: 'api-key' },
      },
    },
  };
}

const ErrorReply: JsonSchema = {
  type: 'object',
  required: ['time', 'status'],
  properties: {
    time: { type: 'number', description: 'Seconds of processing.' },
    status: { type: 'object', required: ['error'], properties: { error: { type: 'string' } } },
  },
};

const NEEDS: { readonly [need in Exclude<Requirement, 'none'>]: string } = {
  read: 'Needs the permission `read` while enforcement is on.',
  write: 'Needs the permission `write` while enforcement is on.',
  admin: 'Needs the permission `admin` while enforcement is on.',
  admin_jwt: 'Needs the JWT of the admin, whether enforcement is on or off.',
  tokens: 'Needs the permission `admin`, and enforcement to be on.',
  create_admin: 'Only from the machine that the server runs on; once there is an admin, with its credential while enforcement is on.',
  reset_password: 'Only from the machine that the server runs on; with the permission `admin` while enforcement is on.',
};

function operationObject(operation: string, endpoint: Endpoint, writer: SchemaWriter): object {
  const { tag, summary, needs, body, bodyOptional } = endpoint;
  return {
    operationId: operation,
    tags: [tag],
    summary,
    ...(needs === 'none' ? { security: [{}] } : { description: NEEDS[needs] }),
    parameters: [...pathParameters(endpoint.path), ...queryParameters(endpoint.query, writer)],
    ...(body === undefined
      ? {}
      : { requestBody: { required: bodyOptional !== true, content: { 'application/json': { schema: writer.write(body) } } } }),
    responses: { 200: success(endpoint, writer), ...failures(endpoint, writer) },
  };
}

function pathParameters(path: string): readonly object[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
}

function queryParameters(query: TSchema | undefined, writer: SchemaWriter): readonly object[] {
  const properties = query === undefined ? {} : (writer.write(query).properties ?? {});
  return Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', required: false, schema }));
}

function success(endpoint: Endpoint, writer: SchemaWriter): object {
  const schema = writer.write(endpoint.result);
  if (endpoint.envelope === 'text') return { description: 'Success', content: { 'text/plain': { schema } } };
  return {
    description: 'Success',
    content: { 'application/json': { schema: endpoint.envelope === 'result' ? enveloped(schema) : schema } },
  };
}

function enveloped(result: JsonSchema): JsonSchema {
  return {
    type: 'object',
    required: ['usage', 'time', 'status', 'result'],
    properties: {
      usage: { type: 'object', properties: { hardware: { type: ['object', 'null'] } } },
      time: { type: 'number', description: 'Seconds of processing.' },
      status: { const: 'ok' },
      result,
    },
  };
}

/** Errors whose whole sentence depends on the case. */
const WORDED_BY_CASE: { readonly [code in ErrorCode]?: string } = {
  invalid_request: 'The request is not valid; the text names the member, what is wrong and what would be right',
  forbidden: 'The credential is valid and does not suffice; the text says why',
};

function failures(endpoint: Endpoint, writer: SchemaWriter): { [status: string]: object } {
  const replies: { [status: string]: { description: string; content: object } } = {};
  if (endpoint.envelope === 'text' || endpoint.envelope === 'bare') return replies;
  const schema = endpoint.refusal === 'message' ? writer.write(authError) : { $ref: '#/components/schemas/ErrorReply' };
  for (const code of new Set<ErrorCode>([...EVERYWHERE, ...endpoint.errors, endpoint.failure])) {
    const error = new ServiceError(code);
    const sentence = WORDED_BY_CASE[code] ?? error.message;
    const known = replies[error.restStatus];
    const description = known === undefined ? sentence : `${known.description}; ${sentence}`;
    replies[error.restStatus] = { description, content: { 'application/json': { schema } } };
  }
  return replies;
}

function unavailableObject(capability: string, method: string, path: string): object {
  return {
    operationId: `${method.toLowerCase()}_${path.replaceAll(/[^a-z]+/g, '_').replaceAll(/^_|_$/g, '')}`,
    tags: ['Not implemented'],
    summary: `Answers 501: ${capability}`,
    parameters: pathParameters(path),
    responses: {
      501: { description: 'Not implemented', content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorReply' } } } },
    },
  };
}
