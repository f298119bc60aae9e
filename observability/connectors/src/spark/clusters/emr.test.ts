// SPDX-License-Identifier: Apache-2.0
/** Against a stand-in of the documented API; no EMR was reached. The stand-in's own port stands for that of Spark Connect. */
import { expect, test } from 'vitest';
import { type Asked, goldenRequests, hurriedClock, openStandIn, requestsOf, type StandInReply } from '../../testing/provider-stand-in.ts';
import type { ClusterAttempt, ClusterRequest } from './cluster.ts';
import { emrClusters } from './emr.ts';
import { type Answer, answersOf } from './provider-answers.ts';
import { providerCalls } from './provider-calls.ts';

const SECRET = 'a-secret-key';
const { signal } = new AbortController();
const REQUEST: ClusterRequest = {
  place: { cluster: 'EMR', region: 'eu-central-1', subnet_id: 'subnet-1', idle_minutes: 20 },
  credential: { type: 'AWS', payload: { access_key: 'AKIA1', secret_key: SECRET } },
  config: {
    spark_properties: { 'spark.sql.shuffle.partitions': '64' },
    cluster_b_config: {
      master_instance_type: 'm7g.xlarge',
      worker_instance_type: 'r7g.2xlarge',
      worker_instance_option: 'SPOT',
      min_instance_count: 2,
      max_instance_count: 10,
    },
  },
  owner: 'default 1',
  run: 'job-1',
};

/** An account in which all that is created runs when it is looked at for the second time. */
async function account(changes: (action: string) => StandInReply | undefined = () => undefined) {
  const clusters: { Name: unknown; Id: string; Status: { State: string; StateChangeReason?: Answer }; MasterPublicDnsName: string }[] = [];
  const steps: { Name: unknown; Id: string; Status: { State: string; FailureDetails?: Answer } }[] = [];
  const advance = (things: readonly { Status: { State: string } }[], from: string, to: string) => {
    for (const { Status } of things) if (Status.State === from) Status.State = to;
  };
  const answer = ({ headers, body }: Asked): StandInReply => {
    const action = String(headers['x-amz-target']).replace('ElasticMapReduce.', '');
    const changed = changes(action);
    if (changed !== undefined) return changed;
    switch (action) {
      case 'ListClusters':
        return { body: { Clusters: clusters } };
      case 'RunJobFlow':
        clusters.push({ Name: body.Name, Id: 'j-1', Status: { State: 'STARTING' }, MasterPublicDnsName: 'ip-10-0-0-1.ec2.internal' });
        return { body: { JobFlowId: 'j-1' } };
      case 'DescribeCluster': {
        const reply = structuredClone({ Cluster: clusters[0] });
        advance(clusters, 'STARTING', 'WAITING');
        return { body: reply };
      }
      case 'ListSteps': {
        const reply = structuredClone({ Steps: steps });
        advance(steps, 'PENDING', 'RUNNING');
        return { body: reply };
      }
      case 'AddJobFlowSteps':
        steps.push({ Name: answersOf(body.Steps)[0]?.Name, Id: `s-${steps.length + 1}`, Status: { State: 'PENDING' } });
        return { body: { StepIds: [`s-${steps.length}`] } };
      case 'CancelSteps':
        advance(steps, 'RUNNING', 'CANCELLED');
        return { body: {} };
      default:
        return { status: 400, body: { __type: 'InvalidRequestException', Message: action } };
    }
  };
  const standIn = await openStandIn(answer);
  const clock = hurriedClock();
  const attempt = (changed: Partial<ClusterRequest> = {}) =>
    emrClusters(() => standIn.origin).attempt({ ...REQUEST, ...changed }, { calls: providerCalls(standIn.outbound, clock), clock });
  return { standIn, clusters, steps, attempt, [Symbol.asyncDispose]: () => standIn[Symbol.asyncDispose]() };
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

test('a cluster is created with every field of its block, Spark Connect is a step of it, and the step is cancelled in the end', async () => {
  await using here = await account();
  const attempt = here.attempt();
  const { connect, states } = await untilRunning(attempt);
  expect(states).toEqual(['STARTING', 'STARTING', 'Spark Connect PENDING', 'Spark Connect PENDING']);
  expect(connect).toMatchObject({ host: 'ip-10-0-0-1.ec2.internal', tls: false, token: undefined });
  await attempt.release(signal);
  expect(requestsOf(here.standIn.asked)).toEqual(await goldenRequests('emr'));
  const [first] = here.standIn.asked;
  expect(first?.headers.authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKIA1\/20260101\/eu-central-1\/elasticmapreduce\/aws4_request, SignedHeaders=content-type;host;x-amz-date;x-amz-target, /,
  );
  expect(JSON.stringify(here.standIn.asked)).not.toContain(SECRET);
});

test('the next attempt takes the cluster and the server of one that died, and another run gets a server of its own', async () => {
  await using here = await account();
  const first = await untilRunning(here.attempt());
  const second = await untilRunning(here.attempt());
  expect(second.states).toEqual([]);
  expect(second.connect).toEqual(first.connect);
  const other = await untilRunning(here.attempt({ run: 'job-2' }));
  expect(other.connect.port).not.toBe(first.connect.port);
  expect([here.clusters.length, here.steps.length]).toEqual([1, 2]);
});

test('a server that ended is started again on another port, three times at most', async () => {
  await using here = await account();
  const first = await untilRunning(here.attempt());
  const fail = () => {
    for (const { Status } of here.steps) Object.assign(Status, { State: 'FAILED', FailureDetails: { Reason: 'port taken' } });
  };
  fail();
  const second = await untilRunning(here.attempt());
  expect(second.connect.port).not.toBe(first.connect.port);
  fail();
  await untilRunning(here.attempt());
  fail();
  await expect(untilRunning(here.attempt())).rejects.toThrow(/^Spark Connect ended on cluster sextant-\w+: port taken$/);
});

test('what is refused names the reason and the field', async () => {
  const Message = 'Instance type r7g.2xlarge is not supported.';
  await using refusing = await account((action) =>
    action === 'RunJobFlow' ? { status: 400, body: { __type: 'ValidationException', Message } } : undefined,
  );
  await expect(untilRunning(refusing.attempt())).rejects.toMatchObject({
    member: 'cluster_b_config.worker_instance_type',
    message: expect.stringContaining(`Amazon EMR refused to RunJobFlow (400): ValidationException: ${Message}`),
  });
  await using unknown = await account(() => ({ status: 400, body: { __type: 'UnrecognizedClientException', message: 'No such key.' } }));
  await expect(untilRunning(unknown.attempt())).rejects.toMatchObject({ member: 'credential' });
  await using failing = await account();
  const attempt = failing.attempt();
  await attempt.advance(signal);
  for (const { Status } of failing.clusters) {
    Object.assign(Status, { State: 'TERMINATED_WITH_ERRORS', StateChangeReason: { Message: 'no capacity' } });
  }
  await expect(attempt.advance(signal)).rejects.toThrow(/^Amazon EMR ended cluster sextant-\w+: no capacity$/);
});

test.each([
  ['payload.region', { place: {} }],
  ['payload.region', { place: { region: 'a.evil/' } }],
  ['payload.idle_minutes', { place: { region: 'eu-central-1', idle_minutes: 0 } }],
  ['credential', { credential: null }],
  ['cluster_b_config.master_instance_type', { config: {} }],
  ['cluster_b_config.worker_instance_type', { config: { cluster_b_config: { master_instance_type: 'm7g.xlarge' } } }],
])('a request without a proper %s is refused before anything is asked', async (member, changed) => {
  await using here = await account();
  expect(() => here.attempt(changed)).toThrow(expect.objectContaining({ name: 'SourceError', member }));
  expect(here.standIn.asked).toHaveLength(0);
});
