// SPDX-License-Identifier: Apache-2.0
/**
 * Compares the answers of a service with its OpenAPI document: the status is listed for the operation, the type of the content is, and the body fits
 * the schema that stands there. Test servers ask it about every answer, so that each test over HTTP is a test of the document too.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

export type Answered = {
  readonly method: string;
  /** With its query string or without. */
  readonly path: string;
  readonly status: number;
  readonly contentType: string | null;
  readonly text: string;
};

export type Conformance = {
  /** What of an answer the document does not say; undefined where it says all, or where no operation is behind the path. */
  fault(answered: Answered): string | undefined;
};

type Response = { readonly content?: { readonly [mediaType: string]: { readonly schema: object } } };
type Operation = { readonly operationId: string; readonly responses: { readonly [status: string]: Response } };
type Document = { readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } } };
type Route = { readonly matches: RegExp; readonly fixedParts: number; readonly methods: { readonly [method: string]: Operation } };

/** Refusals of the path and of the method, which belong to no operation. */
const OF_NO_OPERATION = [405];

/** @param document as it is sent, parsed */
export function conformanceTo(document: object): Conformance {
  const { paths } = document as Document;
  // The document is no schema, so that to validate it as one would look at nothing in it.
  // Of a validator that sees few answers, making it takes longer than it takes itself.
  const code = { optimize: false };
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false, allowUnionTypes: true, code });
  ajv.addSchema(inDoubles(document) as object, 'document');
  const routes = Object.entries(paths).map(([path, methods]) => routeOf(path, methods));
  /** By the text of the schema: most responses refer to the same few. */
  const validators = new Map<string, ValidateFunction>();

  function operationOf(method: string, path: string): Operation | undefined {
    const [plain = ''] = path.split('?');
    const found = routes.filter(({ matches }) => matches.test(plain)).toSorted((a, b) => b.fixedParts - a.fixedParts);
    return found.map(({ methods }) => methods[method.toLowerCase()]).find((operation) => operation !== undefined);
  }

  function validatorOf(schema: object, pointer: string): ValidateFunction {
    const text = JSON.stringify(schema);
    const known = validators.get(text) ?? ajv.compile({ $ref: `document#${pointer}` });
    validators.set(text, known);
    return known;
  }

  return {
    fault: ({ method, path, status, contentType, text }) => {
      const operation = operationOf(method, path);
      if (operation === undefined || OF_NO_OPERATION.includes(status)) return undefined;
      const { operationId, responses } = operation;
      const response = responses[status];
      if (response === undefined) return `${operationId} answered ${status}, which its document does not list: ${text.slice(0, 300)}`;
      const [mediaType = ''] = (contentType ?? '').split(';');
      const content = response.content?.[mediaType];
      if (content === undefined) return `${operationId} answered ${status} as ${mediaType}, which its document does not list`;
      if (mediaType !== 'application/json') return undefined;
      const [template] = Object.entries(paths).find(([, methods]) => Object.values(methods).includes(operation)) ?? [''];
      const steps = ['paths', template, method.toLowerCase(), 'responses', String(status), 'content', mediaType, 'schema'];
      const validate = validatorOf(content.schema, `/${steps.map(pointerStep).join('/')}`);
      if (validate(JSON.parse(text))) return undefined;
      return `${operationId} answered ${status} with ${text.slice(0, 1000)}, which its document does not describe: ${ajv.errorsText(validate.errors)}`;
    },
  };
}

/** Beyond 2^53 a double does not tell 2^64 - 1 from 2^64, so there a bound takes in its own value. */
function inDoubles(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inDoubles);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const isBeyond =
        name === 'exclusiveMaximum' && typeof member === 'number' && !Number.isSafeInteger(member) && Number.isInteger(member);
      return [isBeyond ? 'maximum' : name, inDoubles(member)];
    }),
  );
}

function routeOf(path: string, methods: Route['methods']): Route {
  const parts = path.split('/');
  const pattern = parts.map((part) => (part.includes('{') ? part.replaceAll(/\{\w+\}/g, '[^/]+') : RegExp.escape(part))).join('/');
  return { matches: new RegExp(`^${pattern}/?$`), fixedParts: parts.filter((part) => !part.includes('{')).length, methods };
}

/** A step of a JSON pointer within the fragment of a URI (RFC 6901, section 6). */
function pointerStep(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}
