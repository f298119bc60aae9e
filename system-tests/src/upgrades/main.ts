// SPDX-License-Identifier: Apache-2.0
/**
 * Writes the data directories of this release as archives, with what they answer, for the releases that come after it:
 * `npm run keep:release`. To be run before a release, and never again for the same one.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringifyJson } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { startObservabilityServer } from '../observability/observability-server.ts';
import { startVectorServer } from '../vector-server.ts';
import { RELEASES_FOLDER } from './released.ts';
import { observabilityAnswers, seedObservability } from './seeded-observability.ts';
import { answersOf, seededEnvironment, seedVectors } from './seeded-vectors.ts';

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { readonly version: string };

async function archiveOf(name: string, seed: (directory: string) => Promise<object>): Promise<void> {
  await using directory = await temporaryDirectory();
  const answers = await seed(directory.path);
  // What only the process that has gone knew.
  for (const file of ['lock', 'lock-holder', 'audit.jsonl']) rmSync(join(directory.path, file), { force: true });
  mkdirSync(RELEASES_FOLDER, { recursive: true });
  writeFileSync(join(RELEASES_FOLDER, `${name}-${version}.json`), `${stringifyJson(answers)}\n`);
  execFileSync('tar', ['--sparse', '-czf', join(RELEASES_FOLDER, `${name}-${version}.tar.gz`), '-C', directory.path, '.']);
}

await archiveOf('vector', async (directory) => {
  await using server = await startVectorServer({ directory, environment: seededEnvironment });
  await seedVectors(server);
  await server.stop();
  await using again = await startVectorServer({ directory, environment: seededEnvironment });
  const answers = await answersOf(again);
  await again.stop();
  return answers;
});
await archiveOf('observability', async (directory) => {
  await using server = await startObservabilityServer({ directory });
  await seedObservability(server);
  const answers = await observabilityAnswers(server);
  await server.stop();
  return answers;
});
