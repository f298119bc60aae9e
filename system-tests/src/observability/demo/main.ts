// SPDX-License-Identifier: Apache-2.0
/**
 * `npm run demo:observability`: scans real tables and prints what was measured; then delivers each of them many times, damaged and undamaged,
 * and prints the incidents that follow. Starts a server of its own over a temporary directory. Arguments name the data sets to take, such as
 * `movies airports`; the damages of the largest are tried only when it is named. `--write` writes the page with the outcome.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { adminApi, startObservabilityServer } from '../observability-server.ts';
import { damageTrial, type Trial } from './damage-trial.ts';
import { DATA_SETS, type DataSet, SMALL_DATA_SETS } from './data-sets.ts';
import { PAGE, trialPage } from './page.ts';
import { reportOf } from './report.ts';
import { statusLine } from './status-line.ts';
import { survey } from './survey.ts';
import { trialReport } from './trial-report.ts';

const BASE_DELIVERIES = 10;
const REDELIVERIES = 10;
const SEED = 2026;

const names = process.argv.slice(2).filter((argument) => argument !== '--write');
const dataSets = chosen(names);
await using directory = await temporaryDirectory();
const deliveries = join(directory.path, 'deliveries');
await mkdir(deliveries);
await using server = await startObservabilityServer({
  directory: join(directory.path, 'data'),
  environment: { OBSERVABILITY_ALLOWED_DIRECTORIES: deliveries },
});
const api = await adminApi(server);
const status = statusLine();

console.log(`${dataSets.length} data sets of vega-datasets; server ${server.address}\n`);
for (const dataSet of dataSets) {
  const found = await survey(api, dataSet, status);
  status.clear();
  console.log(`${reportOf(found)}\n`);
}

const { id: connectionId } = await api.call(
  'create_connection',
  {},
  { body: { name: 'deliveries', type: 'FILE', payload: { directory: deliveries } } },
);
const trials: Trial[] = [];
for (const dataSet of names.length === 0 ? SMALL_DATA_SETS : dataSets) {
  const options = { directory: deliveries, connectionId, base: BASE_DELIVERIES, redeliveries: REDELIVERIES, seed: SEED, status };
  const trial = await damageTrial(api, dataSet, options);
  status.clear();
  console.log(`${trialReport(trial)}\n`);
  trials.push(trial);
}
if (process.argv.includes('--write')) await writeFile(PAGE, trialPage(trials));
await server.stop();

function chosen(wanted: readonly string[]): readonly DataSet[] {
  const unknown = wanted.filter((name) => DATA_SETS.every((dataSet) => dataSet.name !== name));
  if (unknown.length > 0) {
    console.error(`unknown: ${unknown.join(', ')}; there are ${DATA_SETS.map(({ name }) => `"${name}"`).join(', ')}`);
    process.exit(1);
  }
  return wanted.length === 0 ? DATA_SETS : DATA_SETS.filter(({ name }) => wanted.includes(name));
}
