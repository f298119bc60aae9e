/** The endpoint tables as the SDK needs them: where an operation is, what it takes and answers, and whether it may be tried again. */
import { type Endpoint as ObservabilityEndpoint, endpoints as observability } from '@sextant/contracts-observability';
import type { Endpoint as VectorEndpoint } from '@sextant/contracts-vector';
import { endpoints as vector } from '@sextant/contracts-vector/schemas';

type Row = {
  readonly id: string;
  readonly summary: string;
  readonly method: string;
  readonly path: string;
  readonly body?: object | undefined;
  readonly query?: object;
  /** The answer is wrapped, or no JSON. */
  readonly wrapping?: 'result' | 'text' | 'file';
  /** The body is no JSON: the bytes of a file, or a form with the file as the part of this name. */
  readonly sends?: 'bytes' | { readonly part: string } | undefined;
  readonly isRepeatable: boolean;
};

export type ClientFiles = { readonly operations: string; readonly methods: string };

/** Of the vector service: answers are in an envelope, and every write of points comes to the same when it is sent twice. */
export function vectorFiles(): ClientFiles {
  const rows = Object.entries<VectorEndpoint>(vector).map(([id, row]): Row => {
    const { method, needs, tag, envelope, upload } = row;
    const isOnce = id === 'create_collection' || (tag === 'Snapshots' && method === 'POST');
    return {
      ...row,
      id,
      ...((envelope === 'result' || envelope === 'text' || envelope === 'file') && { wrapping: envelope }),
      ...(upload !== undefined && { sends: { part: upload } }),
      isRepeatable: method === 'GET' || needs === 'read' || (needs === 'write' && !isOnce),
    };
  });
  return clientFiles('Vector', rows);
}

/** Of the observability service: what a method promises (RFC 9110, section 9.2.2), and the reads that have to be POST. */
export function observabilityFiles(): ClientFiles {
  const rows = Object.entries<ObservabilityEndpoint>(observability).map(([id, row]): Row => {
    const { method, needs, bodyKind, media } = row;
    const isRead = needs.scope === 'tenant' && needs.role === 'viewer';
    return {
      ...row,
      id,
      ...(media !== undefined && { wrapping: 'text' as const }),
      ...(bodyKind === 'stream' && { sends: 'bytes' as const }),
      isRepeatable: method !== 'POST' || isRead,
    };
  });
  return clientFiles('Observability', rows);
}

function clientFiles(service: string, rows: readonly Row[]): ClientFiles {
  const lower = service.toLowerCase();
  const table = rows.map((row) => `  ${row.id}: ${operationRow(row)},\n`).join('');
  const operations = [
    HEAD,
    "import type { OperationTable } from '../http/operation.ts';",
    `import type { ${service}Operations } from './${lower}-types.ts';`,
    `export const ${lower}Operations: OperationTable<${service}Operations> = {\n${table}};`,
  ];
  const methods = [
    HEAD,
    "import type { RequestOptions } from '../http/request-options.ts';",
    `import type { OperationId, RequestOf, ResultOf } from '../${lower}/request.ts';`,
    '',
    `/** Every operation of the ${lower} service as a method. */`,
    `export abstract class ${service}Methods {`,
    '  protected abstract call<Id extends OperationId>(id: Id, request: RequestOf<Id>, options?: RequestOptions): Promise<ResultOf<Id>>;',
    `${rows.map(methodOf).join('')}}`,
  ];
  return { operations: `${operations.join('\n')}\n`, methods: `${methods.join('\n')}\n` };
}

const HEAD = '// Written by `npm run generate` from the endpoint table of the contract.';

/** A method that takes everything in one object; paths below `tenant` get that from the client. */
function methodOf({ id, summary, path, body, query, sends }: Row): string {
  if (sends !== undefined) return '';
  const own = [...path.matchAll(/\{(\w+)\}/g)].filter(([, name]) => name !== 'tenant');
  const hasInput = own.length > 0 || query !== undefined || body !== undefined;
  const isOptional = own.length === 0 && [query, body].every((schema) => schema === undefined || allOptional(schema));
  const request = hasInput ? `request: RequestOf<'${id}'>${isOptional ? ' = {}' : ''}, ` : '';
  const camel = id.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return `
  /** ${summary}. */
  ${camel}(${request}options?: RequestOptions): Promise<ResultOf<'${id}'>> {
    return this.call('${id}', ${hasInput ? 'request' : '{}'}, options);
  }
`;
}

function allOptional(schema: { readonly required?: readonly string[]; readonly anyOf?: unknown }): boolean {
  return schema.anyOf === undefined && (schema.required ?? []).length === 0;
}

function operationRow({ method, path, body, wrapping, sends, isRepeatable }: Row): string {
  const members = [
    `method: '${method}'`,
    `path: '${path}'`,
    ...(wrapping === undefined ? [] : [`wrapping: '${wrapping}'`]),
    ...(sends === undefined ? [] : [sends === 'bytes' ? "sends: 'bytes'" : `sends: { part: '${sends.part}' }`]),
    ...(body === undefined || sends !== undefined ? [] : ['takesBody: true']),
  ];
  return `{ ${[...members, `isRepeatable: ${isRepeatable}`].join(', ')} }`;
}
