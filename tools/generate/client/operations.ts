// SPDX-License-Identifier: Apache-2.0
/** The endpoint tables as the SDK needs them: where an operation is, what it takes and answers, and whether it may be tried again. */
import { type Endpoint as ObservabilityEndpoint, endpoints as observability } from '@sextant/contracts-observability';
import type { Endpoint as VectorEndpoint } from '@sextant/contracts-vector';
import { endpoints as vector } from '@sextant/contracts-vector/schemas';

type Row = {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly body?: object | undefined;
  readonly takesQuery?: boolean;
  /** The answer is wrapped, or no JSON. */
  readonly wrapping?: 'result' | 'text' | 'file';
  /** The body is no JSON: the bytes of a file, or a form with the file as the part of this name. */
  readonly sends?: 'bytes' | { readonly part: string } | undefined;
  readonly isRepeatable: boolean;
};

/** Of the vector service: answers are in an envelope, and every write of points comes to the same when it is sent twice. */
export function vectorOperationsFile(): string {
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
  return operationsFile('Vector', rows);
}

/** Of the observability service: what a method promises (RFC 9110, section 9.2.2), and the reads that have to be POST. */
export function observabilityOperationsFile(): string {
  const rows = Object.entries<ObservabilityEndpoint>(observability).map(([id, row]): Row => {
    const { method, needs, query, bodyKind, media } = row;
    const isRead = needs.scope === 'tenant' && needs.role === 'viewer';
    return {
      ...row,
      id,
      ...(media !== undefined && { wrapping: 'text' as const }),
      ...(bodyKind === 'stream' && { sends: 'bytes' as const }),
      takesQuery: query !== undefined,
      isRepeatable: method !== 'POST' || isRead,
    };
  });
  return operationsFile('Observability', rows);
}

function operationsFile(service: string, rows: readonly Row[]): string {
  const lower = service.toLowerCase();
  const table = rows.map((row) => `  ${row.id}: ${operationRow(row)},\n`).join('');
  return `// Written by \`npm run generate\` from the endpoint table of the contract.
import type { OperationTable } from '../http/operation.ts';
import type { ${service}Operations } from './${lower}-types.ts';
export const ${lower}Operations: OperationTable<${service}Operations> = {
${table}};
`;
}

function operationRow({ method, path, body, takesQuery, wrapping, sends, isRepeatable }: Row): string {
  const members = [
    `method: '${method}'`,
    `path: '${path}'`,
    ...(wrapping === undefined ? [] : [`wrapping: '${wrapping}'`]),
    ...(sends === undefined ? [] : [sends === 'bytes' ? "sends: 'bytes'" : `sends: { part: '${sends.part}' }`]),
    ...(body === undefined || sends !== undefined ? [] : ['takesBody: true']),
    ...(takesQuery ? ['takesQuery: true'] : []),
  ];
  return `{ ${[...members, `isRepeatable: ${isRepeatable}`].join(', ')} }`;
}
