// SPDX-License-Identifier: Apache-2.0
/**
 * A table that a nightly load writes, watched: `node main.ts FOLDER FILE`. The first run registers the file with its rules and a schedule, so that the service scans
 * it every morning by itself; each run scans at once and ends with 1 while an incident is open, for who runs it behind the load.
 */
import { ObservabilityClient } from '@sextant/sdk';

const { SEXTANT_OBSERVABILITY_URL: url = 'http://127.0.0.1:6580', SEXTANT_OBSERVABILITY_KEY: apiKey = '' } = process.env;
const [directory, file] = process.argv.slice(2);
if (directory === undefined || file === undefined) throw new Error('usage: node main.ts FOLDER FILE');

const PROJECT = 0;
/** After the load, which begins at two. */
const EVERY_MORNING = '0 4 * * *';
const RULES = [
  { name: 'Amounts are positive', expression: 'VALIDATE amount EXPECT VALUE > 0' },
  { name: 'Every order has a customer', expression: 'VALIDATE customer EXPECT NOT IS_NULL' },
];

const client = new ObservabilityClient({ url, apiKey });
const known = (await client.listAssets()).find(({ name }) => name === file);
const asset = known ?? (await register(directory, file));
const { status, details } = await client.scan(asset.id);
console.log(`${file}: ${status}, ${details}`);
const open = await client.listIncidents({ asset_ids: asset.id, statuses: 'OPEN' });
for (const { id, alert_policy_name: monitor, description } of open) {
  console.log(`incident ${id}: ${monitor}: ${description}`);
  const { evidence } = await client.incidentStory({ incident_id: id });
  for (const each of evidence) if (each.kind === 'RULE') console.log(`  ${each.failed} of ${each.checked} rows fail`);
}
if (status !== 'FINISHED' || open.length > 0) process.exitCode = 1;

async function register(folder: string, path: string) {
  const connection = await client.createConnection({ name: 'nightly load', type: 'FILE', payload: { directory: folder } });
  const made = await client.createAsset({
    project_id: PROJECT,
    name: path,
    type: 'FILE',
    payload: { path },
    connection_id: connection.id,
    options: { id_attributes: ['id'] },
  });
  await client.putAttributes({ asset_id: made.id, all: true });
  await client.putSchedule({ project_id: PROJECT, asset_id: made.id, schedule: EVERY_MORNING });
  for (const { name, expression } of RULES) {
    await client.createMonitor({ asset_id: made.id, type: 'RULE', name, enabled: true, impact: 'HIGH', monitor: { expression } });
  }
  return made;
}
