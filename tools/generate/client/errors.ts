// SPDX-License-Identifier: Apache-2.0
/** The catalogues of errors as the SDK needs them: the sentence of a refusal tells its code, which the wire does not carry. */
import { errorCatalogue as observability } from '@sextant/contracts-observability';
import { errorCatalogue as vector } from '@sextant/contracts-vector';

export function errorCodesFile(): string {
  return [
    '// Written by `npm run generate` from the catalogues of the contracts.',
    "import type { ErrorRow } from './error-codes.ts';",
    list(
      'vectorErrors',
      vector().map(({ code, rest, grpc, message }) => ({ code, status: rest, grpc, message })),
    ),
    list(
      'observabilityErrors',
      observability().map(({ code, status, message }) => ({ code, status, message })),
    ),
    '',
  ].join('\n');
}

type Row = { readonly code: string; readonly status: number; readonly grpc?: string; readonly message: string };

function list(name: string, rows: readonly Row[]): string {
  const lines = rows.map(({ code, status, grpc, message }) => {
    const ofGrpc = grpc === undefined ? '' : ` grpc: '${grpc}',`;
    return `  { code: '${code}', status: ${status},${ofGrpc} sentence: ${JSON.stringify(message)} },\n`;
  });
  return `export const ${name} = [\n${lines.join('')}] as const satisfies readonly ErrorRow[];`;
}
