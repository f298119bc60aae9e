// SPDX-License-Identifier: Apache-2.0
/** Writes the reference pages and the SDK's tables of operations and errors from the tables that the code runs on; with `--check` it only says which are stale, and fails. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type SdkPages, sdkPages } from '../sdk/api-page.ts';
import { apiPage } from './api-page.ts';
import { cliPage } from './cli-page.ts';
import { errorCodesFile } from './client/errors.ts';
import { observabilityOperationsFile, vectorOperationsFile } from './client/operations.ts';
import { configurationPage } from './configuration-page.ts';
import { errorsPage } from './errors-page.ts';
import { letterCostsSource } from './letter-costs.ts';
import { observabilityApiPage } from './observability-api-page.ts';
import { observabilityErrorsPage } from './observability-errors-page.ts';

const root = resolve(import.meta.dirname, '../..');
/** In this order: the pages of the SDK are made of files that are written before it. */
const pages: readonly (readonly [path: string, text: () => string])[] = [
  ['docs/reference/cli.md', cliPage],
  ['docs/reference/api.md', apiPage],
  ['docs/reference/configuration.md', configurationPage],
  ['docs/reference/errors.md', errorsPage],
  ['docs/reference/observability-api.md', observabilityApiPage],
  ['docs/reference/observability-errors.md', observabilityErrorsPage],
  ['clients/sdk/src/contract/vector-operations.generated.ts', vectorOperationsFile],
  ['clients/sdk/src/contract/observability-operations.generated.ts', observabilityOperationsFile],
  ['clients/sdk/src/errors/error-codes.generated.ts', errorCodesFile],
  ['observability/connectors/src/formats/letter-costs.generated.ts', letterCostsSource],
  ['docs/reference/sdk.md', () => pagesOfSdk().sdk],
  ['docs/reference/sdk-vector-types.md', () => pagesOfSdk().vectorTypes],
  ['docs/reference/sdk-observability-types.md', () => pagesOfSdk().observabilityTypes],
];
let builtPages: SdkPages | undefined;
const pagesOfSdk = () => (builtPages ??= sdkPages());
const isCheck = process.argv.includes('--check');

for (const [path, write] of pages) {
  const text = write();
  if (current(path) === text) continue;
  if (isCheck) {
    console.log(`${path} is stale; run \`npm run generate\``);
    process.exitCode = 1;
  } else {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    console.log(`wrote ${path}`);
  }
}

function current(path: string): string | undefined {
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch {
    return undefined;
  }
}
