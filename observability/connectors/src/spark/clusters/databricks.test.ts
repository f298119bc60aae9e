// SPDX-License-Identifier: Apache-2.0
/** Against a stand-in of the documented API; no Databricks was reached. */
import { expect, test } from 'vitest';
import type { ClusterState } from '../../connector.ts';
import { type Asked, goldenRequests, hurriedClock, openStandIn, requestsOf, type StandInReply } from '../../testing/provider-stand-in.ts';
import type { ClusterRequest } from './cluster.ts';
import { clusterLauncher } from './cluster-launcher.ts';
import { databricksClusters } from './databricks.ts';
import type { Answer } from './provider-answers.ts';

const TOKEN = 'dapi-a-secret';
const { signal } = new AbortController();

function requestOf(changes: Partial<ClusterRequest> = {}): ClusterRequest {
  return {
    place: { cluster: 'DATABRICKS', host: 'dbc.example.com', idle_minutes: 45 },
    credential: { type: 'TOKEN', payload: { token: TOKEN } },
    config: {
      spark_properties: { 'spark.sql.shuffle.partitions': '64', 'spark.jars.packages': 'io.delta:delta-spark_2.13:4.0.0' },
      cluster_c_config: {
        spark_version: '17.3.x-scala2.13',
        instance_pool_id: 'pool-workers',
        driver_instance_pool_id: 'pool-driver',
        policy_id: 'policy-1',
        min_instance_count: 2,
        max_instance_count: 8,
      },
    },
    owner: 'default 1',
    run: 'job-1',
    ...changes,
  };
}

/** A workspace in which a cluster that is created or started runs when it is looked at for the second time. */
function workspace(changes: (asked: Asked) => StandInReply | undefined = () => undefined) {
  const clusters: { [member: string]: unknown }[] = [];
  const libraries: { library: unknown; status: string }[] = [];
  return {
    clusters,
    answer: (asked: Asked): StandInReply => {
      const changed = changes(asked);
      if (changed !== undefined) return changed;
      if (asked.headers.authorization !== `Bearer ${TOKEN}`) return { status: 401, body: { message: 'Invalid access token.' } };
      const path = asked.path.replace(/\?.*$/, '');
      switch (path) {
        case '/api/2.1/clusters/list': {
          const body = structuredClone({ clusters });
          for (const each of clusters) if (each.state === 'PENDING') each.state = 'RUNNING';
          return { body };
        }
        case '/api/2.1/clusters/create':
          clusters.push({ cluster_id: `c-${clusters.length}`, cluster_name: asked.body.cluster_name, state: 'PENDING' });
          return { body: { cluster_id: `c-${clusters.length - 1}` } };
        case '/api/2.1/clusters/start':
          for (const each of clusters) if (each.cluster_id === asked.body.cluster_id) each.state = 'PENDING';
          return { body: {} };
        case '/api/2.0/libraries/cluster-status': {
          const body = structuredClone({ library_statuses: libraries });
          for (const each of libraries) each.status = 'INSTALLED';
          return { body };
        }
        case '/api/2.0/libraries/install':
          for (const library of asked.body.libraries as readonly Answer[]) libraries.push({ library, status: 'INSTALLING' });
          return { body: {} };
        default:
          return { status: 404, body: { error_code: 'ENDPOINT_NOT_FOUND', message: path } };
      }
    },
  };
}

async function withWorkspace(changes?: (asked: Asked) => StandInReply | undefined) {
  const of = workspace(changes);
  const standIn = await openStandIn(of.answer);
  const launcher = clusterLauncher(
    databricksClusters(() => standIn.origin),
    { outbound: standIn.outbound, clock: hurriedClock() },
  );
  return { ...of, standIn, launcher, [Symbol.asyncDispose]: () => standIn[Symbol.asyncDispose]() };
}

const created = (asked: readonly Asked[]) => asked.filter(({ path }) => path.endsWith('/create'));

test('a cluster is created with every field of its block, gets its libraries, and answers at the workspace', async () => {
  await using here = await withWorkspace();
  const states: ClusterState[] = [];
  const { address, release } = await here.launcher.acquire(requestOf({ onState: (state) => void states.push(state) }), signal);
  expect(requestsOf(here.standIn.asked)).toEqual(await goldenRequests('databricks-pools'));
  expect(address).toEqual({
    host: 'dbc.example.com',
    address: '127.0.0.1',
    port: 443,
    tls: { certificateAuthority: undefined },
    token: TOKEN,
    headers: { 'x-databricks-cluster-id': 'c-0' },
  });
  expect(states.map(({ state }) => state)).toEqual(['PENDING', 'PENDING', 'libraries PENDING', 'libraries INSTALLING']);
  expect(JSON.stringify(states)).not.toContain(TOKEN);
  await release();
});

test('a node type and a fixed number of workers are sent as such', async () => {
  await using here = await withWorkspace();
  const config = {
    cluster_c_config: { spark_version: '17.3.x-scala2.13', node_type: 'i3.xlarge', min_instance_count: 3, max_instance_count: 3 },
  };
  await here.launcher.acquire(requestOf({ config }), signal);
  expect(requestsOf(created(here.standIn.asked))).toEqual(await goldenRequests('databricks-nodes'));
});

test('the cluster of an attempt that died is found by its name, and one that ended is started again', async () => {
  await using here = await withWorkspace();
  const dying = new AbortController();
  const stopped = new Error('its process died');
  await expect(here.launcher.acquire(requestOf({ onState: () => dying.abort(stopped) }), dying.signal)).rejects.toBe(stopped);
  await here.launcher.acquire(requestOf({ run: 'job-1' }), signal);
  expect(created(here.standIn.asked)).toHaveLength(1);
  for (const each of here.clusters) each.state = 'TERMINATED';
  await here.launcher.acquire(requestOf({ run: 'job-2' }), signal);
  expect(created(here.standIn.asked)).toHaveLength(1);
  expect(here.standIn.asked.filter(({ path }) => path.endsWith('/start'))).toHaveLength(1);
  await here.launcher.acquire(requestOf({ owner: 'another 1' }), signal);
  expect(created(here.standIn.asked)).toHaveLength(2);
});

test('a busy provider is asked again, and given up after a while', async () => {
  let busy = 2;
  await using here = await withWorkspace(() => (busy-- > 0 ? { status: 429, body: {} } : undefined));
  await here.launcher.check(requestOf(), signal);
  busy = 1000;
  await expect(here.launcher.check(requestOf(), signal)).rejects.toThrow('Databricks could not be reached: it answered 429');
  expect(here.standIn.asked).toHaveLength(3 + 5);
});

test('what the provider refuses names its reason and the field', async () => {
  const message = 'Instance pool pool-workers does not exist.';
  await using here = await withWorkspace(({ path }) =>
    path.endsWith('/create') ? { status: 400, body: { error_code: 'INVALID_PARAMETER_VALUE', message } } : undefined,
  );
  await expect(here.launcher.acquire(requestOf(), signal)).rejects.toMatchObject({
    name: 'SourceError',
    member: 'cluster_c_config.instance_pool_id',
    message: expect.stringContaining(`Databricks refused to create a cluster (400): INVALID_PARAMETER_VALUE: ${message}`),
  });
  const wrong = { type: 'TOKEN', payload: { token: 'another' } };
  await expect(here.launcher.check(requestOf({ credential: wrong }), signal)).rejects.toMatchObject({ member: 'credential' });
});

test('a cluster that ends while it starts, or never runs, ends the wait with a sentence', async () => {
  const ended = { code: 'CLOUD_PROVIDER_LAUNCH_FAILURE', parameters: { instance_id: 'no capacity' } };
  await using failing = await withWorkspace();
  const end = () => {
    for (const each of failing.clusters) Object.assign(each, { state: 'TERMINATED', termination_reason: ended });
  };
  await expect(failing.launcher.acquire(requestOf({ onState: end }), signal)).rejects.toThrow(
    /^Databricks ended cluster sextant-\w+: CLOUD_PROVIDER_LAUNCH_FAILURE: no capacity/,
  );
  await using slow = await withWorkspace();
  const delay = () => {
    for (const each of slow.clusters) each.state = 'RESTARTING';
  };
  await expect(slow.launcher.acquire(requestOf({ onState: delay }), signal)).rejects.toThrow(
    /^cluster sextant-\w+ was not ready within 30 minutes; its last state: RESTARTING$/,
  );
});

test.each([
  ['payload.host', { place: {} }],
  ['payload.host', { place: { host: 'a/b?c' } }],
  ['payload.idle_minutes', { place: { host: 'dbc.example.com', idle_minutes: 1 } }],
  ['credential', { credential: null }],
  ['cluster_c_config.spark_version', { config: {} }],
  ['cluster_c_config.node_type', { config: { cluster_c_config: { spark_version: '17.3.x-scala2.13' } } }],
])('a request without a proper %s is refused before anything is asked', async (member, changes) => {
  await using here = await withWorkspace();
  await expect(here.launcher.acquire(requestOf(changes), signal)).rejects.toMatchObject({ name: 'SourceError', member });
  expect(here.standIn.asked).toHaveLength(0);
});
