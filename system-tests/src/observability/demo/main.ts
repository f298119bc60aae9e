/**
 * `npm run demo:observability`: uploads real tables, scans them and prints what was measured. Starts a server of its own over a temporary
 * directory; arguments name the data sets to take, such as `movies airports`.
 */
import { temporaryDirectory } from '@sextant/foundation-testing';
import { adminApi, startObservabilityServer } from '../observability-server.ts';
import { DATA_SETS, type DataSet } from './data-sets.ts';
import { reportOf } from './report.ts';
import { statusLine } from './status-line.ts';
import { survey } from './survey.ts';

const dataSets = chosen(process.argv.slice(2));
await using directory = await temporaryDirectory();
await using server = await startObservabilityServer({ directory: directory.path });
const api = await adminApi(server);
const status = statusLine();

console.log(`${dataSets.length} data sets of vega-datasets; server ${server.address}\n`);
for (const dataSet of dataSets) {
  const found = await survey(api, dataSet, status);
  status.clear();
  console.log(`${reportOf(found)}\n`);
}
await server.stop();

function chosen(names: readonly string[]): readonly DataSet[] {
  const unknown = names.filter((name) => DATA_SETS.every((dataSet) => dataSet.name !== name));
  if (unknown.length > 0) {
    console.error(`unknown: ${unknown.join(', ')}; there are ${DATA_SETS.map(({ name }) => `"${name}"`).join(', ')}`);
    process.exit(1);
  }
  return names.length === 0 ? DATA_SETS : DATA_SETS.filter(({ name }) => names.includes(name));
}
