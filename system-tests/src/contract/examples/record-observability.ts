// SPDX-License-Identifier: Apache-2.0
/** The part of `npm run record:examples` for the observability service: see `record-vector.ts`. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { startPeer } from '../../observability/incidents/peer.ts';
import { logIn, type ObservabilityApi, observabilityApi } from '../../observability/observability-api.ts';
import { ADMIN, PLATFORM_TOKEN, startObservabilityServer } from '../../observability/observability-server.ts';
import { BUCKET, startGatedStore } from '../../observability/reports/store-gate.ts';
import { vectorApi } from '../../vector-api.ts';
import { startVectorServer } from '../../vector-server.ts';
import { peopleStory, shopStory } from './observability-story.ts';

const FILE = join(import.meta.dirname, '../../../../contracts/observability/src/examples.json');
const SHOWN_OF_SECRETS = 8;
const SHOWN_DIRECTORY = '/srv/data';
const SHOWN_PEER = 'https://hooks.example.com';
const SHOWN_VECTORS = 'https://vectors.example.com';
const SHOWN_STORE = 'https://s3.example.com';
const SECRETS = ['access_token', 'refresh_token', 'secret', 'key'];
/** Items of a list that say the same again. */
const SHOWN_ITEMS = 2;
const METRIC_LINES = 6;

type Example = { request?: unknown; response: unknown };

await using directory = await temporaryDirectory();
await using peer = await startPeer(({ method, path }) => {
  if (method === 'POST' && path === '/rest/api/2/issue') return { status: 201, body: { id: '1', key: 'OPS-1', self: '' } };
  if (path.startsWith('/rest/api/2/search')) return { status: 200, body: { issues: [] } };
  if (path.startsWith('/rest/api/2/issue/')) return { status: 200, body: { key: 'OPS-1', fields: { status: { name: 'To Do' } } } };
  return { status: 200, body: {} };
});
await using store = await startGatedStore();
await store.put('scans/.keep', '');
await using vectors = await startVectorServer({ directory: join(directory.path, 'vectors') });
const articles = vectorApi(vectors.client).collection('articles');
await articles.create({ vectors: { title: { size: 2, distance: 'Cosine' } } });
await articles.upsert([{ id: 1, vector: { title: [1, 2] }, payload: { headline: 'Red shoes', sold: 12 } }]);
await using server = await startObservabilityServer({
  directory: join(directory.path, 'data'),
  environment: { OBSERVABILITY_ALLOWED_DIRECTORIES: directory.path, OBSERVABILITY_ALLOW_PRIVATE_NETWORKS: 'true' },
});
const examples: { [operation: string]: Example } = {};

/** The last answer of each operation is kept, but for those that a poll repeats. */
function recording(api: ObservabilityApi): ObservabilityApi {
  return {
    ...api,
    call: async (id, params, input) => {
      const response = await api.call(id, params, input);
      const body = input?.body;
      examples[id] = { ...(body !== undefined && !(body instanceof Uint8Array) && { request: body }), response };
      return response;
    },
  };
}

const anonymous = recording(observabilityApi(server.client, { tenant: ADMIN.tenant, headers: {} }));
const platform = recording(
  observabilityApi(server.client, { tenant: ADMIN.tenant, headers: { authorization: `Bearer ${PLATFORM_TOKEN}` } }),
);
await platform.call('create_tenant', {}, { body: { id: 'shop', name: 'The shop', admin_email: 'ann@example.com' } });
await platform.call('list_tenants', {});
await platform.call('restore_admin', {}, { body: { tenant: 'shop', admin_email: 'ann@example.com' } });
const grant = { grant_type: 'password', username: ADMIN.email, password: ADMIN.password, tenant: ADMIN.tenant } as const;
const { refresh_token: refresh } = await anonymous.call('get_token', {}, { body: grant });
await anonymous.call('revoke_token', {}, { body: { refresh_token: refresh ?? '' } });
const admin = recording(observabilityApi(server.client, { tenant: ADMIN.tenant, headers: await logIn(server.client, ADMIN) }));
await peopleStory(admin, ADMIN.password);
await shopStory(admin, {
  directory: directory.path,
  peer: peer.url,
  collections: vectors.address,
  store: { endpoint: store.endpoint, bucket: BUCKET },
});
const metrics = await (await fetch(`${server.address}/metrics`)).text();
examples.metrics = { response: `${metrics.split('\n').slice(0, METRIC_LINES).join('\n')}\n` };

const places = [
  [directory.path, SHOWN_DIRECTORY],
  [peer.url, SHOWN_PEER],
  [vectors.address, SHOWN_VECTORS],
  [store.endpoint, SHOWN_STORE],
] as const;
const written = places.reduce((text, [place, name]) => text.replaceAll(place, name), JSON.stringify(examples, shown, 2));
await writeFile(FILE, `${written}\n`);

/** For JSON: less of what is secret, of lists and of figures. */
function shown(name: string, value: unknown): unknown {
  if (typeof value === 'string' && SECRETS.includes(name) && value.length > SHOWN_OF_SECRETS)
    return `${value.slice(0, SHOWN_OF_SECRETS)}...`;
  if (Array.isArray(value)) return value.slice(0, SHOWN_ITEMS);
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value;
}
