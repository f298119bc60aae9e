/** The catalogues of errors as the SDK needs them: the sentence of a refusal tells its code, which the wire does not carry. */
import { errorCatalogue as observability } from '@sextant/contracts-observability';
import { errorCatalogue as vector } from '@sextant/contracts-vector';

export function errorCodesFile(): string {
  return [
    '// Written by `npm run generate` from the catalogues of the contracts.',
    "import type { ErrorRow } from './error-codes.ts';",
    list(
      'vectorErrors',
      vector().map(({ code, rest, message }) => ({ code, status: rest, message })),
    ),
    list(
      'observabilityErrors',
      observability().map(({ code, status, message }) => ({ code, status, message })),
    ),
    '',
  ].join('\n');
}

function list(name: string, rows: readonly { readonly code: string; readonly status: number; readonly message: string }[]): string {
  const lines = rows.map(
    ({ code, status, message }) => `  { code: '${code}', status: ${status}, sentence: ${JSON.stringify(message)} },\n`,
  );
  return `export const ${name} = [\n${lines.join('')}] as const satisfies readonly ErrorRow[];`;
}
