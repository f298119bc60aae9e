// SPDX-License-Identifier: Apache-2.0
/** Against a stand-in of the documented API; no Dataproc was reached. */
import { generateKeyPairSync, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Asked, goldenRequests, hurriedClock, openStandIn, requestsOf, type StandInReply } from '../../testing/provider-stand-in.ts';
import type { ClusterAttempt, ClusterRequest } from './cluster.ts';
import { dataprocClusters } from './dataproc.ts';
import { answerOf } from './provider-answers.ts';
import { providerCalls } from './provider-calls.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const KEY = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const { signal } = new AbortController();
const REQUEST: ClusterRequest = {
  place: { cluster: 'DATAPROC', region: 'europe-west3', subnetwork: 'lake', service_account: 'nodes@p1.example', idle_minutes: 20 },
  credential: { type: 'GCP', payload: { project_id: 'p1', client_email: 'scans@p1.example', private_key: KEY } },
  config: {
    spark_properties: { 'spark.sql.shuffle.partitions': '64' },
    cluster_a_config: {
      master_node_type: 'n2-standard-4',
      worker_node_type: 'n2-highmem-8',
      spark_master_disk_size_in_gb: 100,
      spark_worker_disk_size_in_gb: 500,
      autoscale_policy: 'https://dataproc.googleapis.com/v1/projects/p1/regions/europe-west3/autoscalingPolicies/small',
    },
  },
  owner: 'default 1',
  run: 'job-1',
};

/** A project in which all that is created runs when it is looked at for the second time. */
async function project(changes: (asked: Asked) => StandInReply | undefined = () => undefined) {
  const clusters = new Map<string, { state: string; detail?: string }>();
  const jobs = new Map<string, { state: string; details?: string }>();
  const looked = (things: Map<string, { state: string }>, name: string, running: string, rest: object): StandInReply => {
    const status = things.get(name);
    if (status === undefined) return { status: 404, body: { error: { code: 404, message: `Not found: ${name}` } } };
    const body = structuredClone({ status, ...rest });
    if (status.state === 'CREATING' || status.state === 'PENDING') status.state = running;
    return { body };
  };
  const zoneUri = 'https://www.googleapis.com/compute/v1/projects/p1/zones/europe-west3-a';
  const answer = (asked: Asked): StandInReply => {
    const changed = changes(asked);
    if (changed !== undefined) return changed;
    if (asked.path === '/token') return { body: isSigned(asked) ? { access_token: 'granted' } : { error: 'invalid_grant' } };
    if (asked.headers.authorization !== 'Bearer granted') return { status: 401, body: {} };
    const path = asked.path.replace('/v1/projects/p1/regions/europe-west3/', '').replace(/\?.*$/, '');
    const [things = '', rest = ''] = path.split('/');
    const [name = '', verb] = rest.split(':');
    if (asked.method === 'GET' && things === 'clusters')
      return looked(clusters, name, 'RUNNING', { config: { gceClusterConfig: { zoneUri } } });
    if (asked.method === 'GET') return looked(jobs, name, 'RUNNING', {});
    if (asked.method === 'DELETE') clusters.delete(name);
    else if (path === 'clusters') clusters.set(String(asked.body.clusterName), { state: 'CREATING' });
    else if (path === 'jobs:submit') jobs.set(String(answerOf(answerOf(asked.body.job).reference).jobId), { state: 'PENDING' });
    else if (verb === 'cancel') jobs.set(name, { state: 'CANCELLED' });
    else return { status: 404, body: { error: { message: path } } };
    return { body: {} };
  };
  const standIn = await openStandIn(answer);
  const clock = hurriedClock();
  const addresses = { originOf: () => standIn.origin, tokens: `${standIn.origin}/token` };
  const attempt = (changed: Partial<ClusterRequest> = {}) =>
    dataprocClusters(addresses).attempt({ ...REQUEST, ...changed }, { calls: providerCalls(standIn.outbound, clock), clock });
  return { standIn, clusters, jobs, attempt, [Symbol.asyncDispose]: () => standIn[Symbol.asyncDispose]() };
}

function isSigned({ text }: Asked): boolean {
  const [head = '', claims = '', signature = ''] = (new URLSearchParams(text).get('assertion') ?? '').split('.');
  return verify('sha256', Buffer.from(`${head}.${claims}`), publicKey, Buffer.from(signature, 'base64url'));
}

async function untilRunning(attempt: ClusterAttempt) {
  const states: string[] = [];
  for (let turn = 0; turn < 20; turn += 1) {
    const step = await attempt.advance(signal);
    if (step.kind === 'running') return { ...step, states };
    states.push(step.state);
  }
  throw new Error(`it never ran: ${states.join()}`);
}

test('a cluster is created with every field of its block, Spark Connect is a job of it, and the job is cancelled in the end', async () => {
  await using here = await project();
  const attempt = here.attempt();
  const { name, connect, states } = await untilRunning(attempt);
  expect(states).toEqual(['CREATING', 'CREATING', 'Spark Connect PENDING', 'Spark Connect PENDING']);
  expect(connect).toMatchObject({ host: `${name}-m.europe-west3-a.c.p1.internal`, tls: false, token: undefined });
  await attempt.release(signal);
  const asked = here.standIn.asked.filter(({ path }) => path !== '/token');
  expect(requestsOf(asked)).toEqual(await goldenRequests('dataproc'));
  expect(here.standIn.asked.length - asked.length).toBe(1);
});

test('the next attempt takes the cluster and the server of one that died, and another run gets a server of its own', async () => {
  await using here = await project();
  const first = await untilRunning(here.attempt());
  const second = await untilRunning(here.attempt());
  expect(second.states).toEqual([]);
  expect(second.connect).toEqual(first.connect);
  const other = await untilRunning(here.attempt({ run: 'job-2' }));
  expect(other.connect.port).not.toBe(first.connect.port);
  expect([here.clusters.size, here.jobs.size]).toEqual([1, 2]);
});

test('a server that ended is started again, three times at most', async () => {
  await using here = await project();
  for (let time = 0; time < 3; time += 1) {
    await untilRunning(here.attempt());
    for (const status of here.jobs.values()) Object.assign(status, { state: 'ERROR', details: 'port taken' });
  }
  await expect(untilRunning(here.attempt())).rejects.toThrow(/^Spark Connect ended on cluster sextant-\w+: port taken$/);
});

test('what is refused names the reason and the field, and a cluster that failed is deleted', async () => {
  const message = "Invalid value for field 'resource.machineType': 'n2-highmem-8' does not exist.";
  await using refusing = await project(({ method, path }) =>
    method === 'POST' && path.includes('/clusters?') ? { status: 400, body: { error: { code: 400, message } } } : undefined,
  );
  await expect(untilRunning(refusing.attempt())).rejects.toMatchObject({
    member: 'cluster_a_config.worker_node_type',
    message: expect.stringContaining(`Dataproc refused to create a cluster (400): ${message}`),
  });
  const grant = { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' };
  await using unknown = await project(({ path }) => (path === '/token' ? { status: 400, body: grant } : undefined));
  await expect(untilRunning(unknown.attempt())).rejects.toMatchObject({
    member: 'credential',
    message: 'Google refused the credential: Invalid JWT Signature.',
  });
  await using failing = await project();
  const attempt = failing.attempt();
  await attempt.advance(signal);
  for (const status of failing.clusters.values()) Object.assign(status, { state: 'ERROR', detail: 'no capacity' });
  await expect(attempt.advance(signal)).rejects.toThrow(/^Dataproc could not start cluster sextant-\w+: no capacity$/);
  expect(failing.clusters.size).toBe(0);
});

test.each([
  ['payload.region', { place: {} }],
  ['payload.region', { place: { region: 'a/b' } }],
  ['payload.project', { place: { region: 'europe-west3', project: 'p/../q' } }],
  ['payload.idle_minutes', { place: { region: 'europe-west3', idle_minutes: 1 } }],
  ['credential', { credential: null }],
  [
    'credential.payload.private_key',
    { credential: { type: 'GCP', payload: { project_id: 'p1', client_email: 'a', private_key: 'no key' } } },
  ],
])('a request without a proper %s is refused before anything is asked', async (member, changed) => {
  await using here = await project();
  expect(() => here.attempt(changed)).toThrow(expect.objectContaining({ name: 'SourceError', member }));
  expect(here.standIn.asked).toHaveLength(0);
});
