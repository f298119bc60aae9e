/**
 * Writes the data directories of this release as archives, with what they answer, for the releases that come after it:
 * `node system-tests/src/upgrades/make-directories.ts`. To be run before a release, and never again for the same one.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringifyJson } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { startObservabilityServer } from '../observability/observability-server.ts';
import { startVectorServer } from '../vector-server.ts';
import { furnishObservability, observabilityAnswers } from './furnished-observability.ts';
import { answersOf, furnishedEnvironment, furnishVectors } from './furnished-vectors.ts';
import { RELEASES_FOLDER } from './released.ts';

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { readonly version: string };

async function archiveOf(name: string, furnish: (directory: string) => Promise<object>): Promise<void> {
  await using directory = await temporaryDirectory();
  const answers = await furnish(directory.path);
  // What only the process that has gone knew.
  for (const file of ['lock', 'lock-holder', 'audit.jsonl']) rmSync(join(directory.path, file), { force: true });
  mkdirSync(RELEASES_FOLDER, { recursive: true });
  writeFileSync(join(RELEASES_FOLDER, `${name}-${version}.json`), `${stringifyJson(answers)}\n`);
  execFileSync('tar', ['--sparse', '-czf', join(RELEASES_FOLDER, `${name}-${version}.tar.gz`), '-C', directory.path, '.']);
}

await archiveOf('vector', async (directory) => {
  await using server = await startVectorServer({ directory, environment: furnishedEnvironment });
  await furnishVectors(server);
  await server.stop();
  await using again = await startVectorServer({ directory, environment: furnishedEnvironment });
  const answers = await answersOf(again);
  await again.stop();
  return answers;
});
await archiveOf('observability', async (directory) => {
  await using server = await startObservabilityServer({ directory });
  await furnishObservability(server);
  const answers = await observabilityAnswers(server);
  await server.stop();
  return answers;
});
