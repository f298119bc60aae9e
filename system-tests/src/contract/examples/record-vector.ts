// SPDX-License-Identifier: Apache-2.0
/**
 * `npm run record:examples`: sends the requests of the story to a vector service and writes what it answers to contracts/vector/src/examples.json, which the
 * OpenAPI document shows. A test checks the file by the document, so it is recorded again where an operation is new or changed.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { builtCapabilities } from '@sextant/contracts-vector';
import { endpoints } from '@sextant/contracts-vector/schemas';
import { parseJson, stringifyJson } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { startVectorServer } from '../../vector-server.ts';
import { afterSnapshots, BEFORE_SNAPSHOTS, type Known, type Step } from './vector-story.ts';

const FILE = join(import.meta.dirname, '../../../../contracts/vector/src/examples.json');
/** What is secret in an answer is cut, so that nobody takes it for a credential. */
const SHOWN_OF_SECRETS = 12;

/** Of the metrics, which are many. */
const METRIC_LINES = 6;
const SHOWN_DIRECTORY = '/var/lib/sextant/vector';

type Example = { readonly request?: object; readonly response: unknown };

await using directory = await temporaryDirectory();
const dataDirectory = join(directory.path, 'data');
await using server = await startVectorServer({ directory: dataDirectory, environment: { SERVICE_CAPABILITIES: builtCapabilities.join() } });
const examples: { [operation: string]: Example } = {};
let credential: string | undefined;

async function send({ operation, params = {}, query = {}, body }: Step): Promise<unknown> {
  const { method, path, envelope } = endpoints[operation];
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const response = await fetch(`${server.address}${filled}?${new URLSearchParams(query)}`, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(credential !== undefined && { authorization: `Bearer ${credential}` }),
    },
    ...(body !== undefined && { body: stringifyJson(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${operation} answered ${response.status}: ${text}`);
  const answer: unknown = envelope === 'text' ? text : parseJson(text);
  examples[operation] = { ...(body !== undefined && { request: body }), response: answer };
  return answer;
}

const nameIn = (answer: unknown) => (answer as { readonly result: { readonly name: string } }).result.name;
const names = { create_snapshot: '', create_full_snapshot: '' };
for (const step of BEFORE_SNAPSHOTS) {
  const answer = await send(step);
  if (step.operation === 'create_snapshot' || step.operation === 'create_full_snapshot') names[step.operation] = nameIn(answer);
}
const known: Known = {
  snapshot: names.create_snapshot,
  fullSnapshot: names.create_full_snapshot,
  snapshotsDirectory: join(dataDirectory, 'snapshots'),
};
for (const step of afterSnapshots(known)) {
  const answer = await send(step);
  if (step.operation === 'login') credential = (answer as { readonly token: string }).token;
}

const removed = examples.delete_snapshot;
if (removed === undefined) throw new Error('the story deletes a snapshot');
// One takes a form and the others a cluster; all answer as the removal of a snapshot does.
examples.remove_peer = removed;
examples.update_collection_cluster = {
  request: { move_shard: { shard_id: 0, from_peer_id: 92735861229931, to_peer_id: 181620731903402 } },
  response: removed.response,
};
examples.create_shard_key = { request: { shard_key: 'berlin', shards_number: 2 }, response: removed.response };
examples.delete_shard_key = { request: { shard_key: 'berlin' }, response: removed.response };
examples.recover_uploaded_snapshot = removed;
const metrics = await (await fetch(`${server.address}/metrics`, { headers: { authorization: `Bearer ${credential}` } })).text();
examples.metrics = { response: `${metrics.split('\n').slice(0, METRIC_LINES).join('\n')}\n` };

const written = JSON.stringify(
  examples,
  (name, value: unknown) => {
    if (typeof value === 'string' && ['token', 'api_key'].includes(name)) return `${value.slice(0, SHOWN_OF_SECRETS)}...`;
    // As far as such figures are of interest.
    return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value;
  },
  2,
);
await writeFile(FILE, `${written.replaceAll(dataDirectory, SHOWN_DIRECTORY)}\n`);
