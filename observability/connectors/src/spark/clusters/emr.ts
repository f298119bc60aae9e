// SPDX-License-Identifier: Apache-2.0
/**
 * Clusters of Amazon EMR on EC2, by block B of the Spark job configuration: https://docs.aws.amazon.com/emr/latest/APIReference/ (RunJobFlow, ListClusters,
 * DescribeCluster, AddJobFlowSteps, ListSteps, CancelSteps). Each run has a Connect server of its own, as a step: while none runs, the cluster is idle and ends
 * by its auto-termination policy (https://docs.aws.amazon.com/emr/latest/ManagementGuide/emr-auto-termination-policy.html).
 */
import type { Credential } from '@sextant/contracts-observability';
import { SourceError } from '../../connector.ts';
import { credentialOfType, optionalInteger, optionalText, requiredText } from '../../payload.ts';
import {
  type ClusterAttempt,
  type ClusterPlace,
  type ClusterProvider,
  type ClusterRequest,
  type ClusterStep,
  CONNECT_SERVER,
  clusterName,
  type ProviderTools,
  SERVERS_MAX,
  serverName,
  serverPort,
  serverProperties,
} from './cluster.ts';
import { type Answer, answerOf, answersOf, problemWith, refusedBy, requiredAnswer, type SentField, textOf } from './provider-answers.ts';
import { signed } from './signature-v4.ts';

const PROVIDER = 'Amazon EMR';
const SERVICE = 'elasticmapreduce';
/** The first release with Spark 4 (4.0.2): https://docs.aws.amazon.com/emr/latest/EMR-Serverless-UserGuide/release-version-emr-spark-8.0.0.html */
const RELEASE = 'emr-spark-8.0.0';
const IDLE_MINUTES = 30;
/** 60 seconds to seven days: https://docs.aws.amazon.com/emr/latest/APIReference/API_AutoTerminationPolicy.html */
const IDLE_RANGE = { min: 1, max: 10_080 };
/** What `aws emr create-default-roles` makes. */
const SERVICE_ROLE = 'EMR_DefaultRole';
const INSTANCE_PROFILE = 'EMR_EC2_DefaultRole';
const ALIVE = ['STARTING', 'BOOTSTRAPPING', 'RUNNING', 'WAITING'];
const STEPS_AT_ONCE = 32;
const PAGES_MAX = 100;
const REGION = /^[a-z0-9-]{1,32}$/;

type Place = ReturnType<typeof placeOf>;

/** `originOf` is another one in tests alone. */
export function emrClusters(originOf = (region: string) => `https://${SERVICE}.${region}.amazonaws.com`): ClusterProvider {
  return {
    validate: (place, credential) => {
      placeOf(place, credential);
    },
    check: async ({ place, credential }, tools, signal) => {
      const account = placeOf(place, credential);
      await accountOf(originOf(account.region), account, tools, [])('ListClusters', { ClusterStates: ['STARTING'] }, signal);
    },
    attempt: (request, tools) => emrAttempt(request, tools, originOf),
  };
}

function placeOf(place: ClusterPlace, credential: Credential | null) {
  const region = requiredText(place, 'region', 'a region, such as eu-central-1');
  if (!REGION.test(region)) throw new SourceError('payload.region is not the name of a region', { member: 'payload.region' });
  const keys = credentialOfType(credential, 'AWS');
  return {
    region,
    keys: {
      accessKey: requiredText(keys, 'access_key', 'an access key id', 'credential.payload'),
      secretKey: requiredText(keys, 'secret_key', 'a secret access key', 'credential.payload'),
      sessionToken: optionalText(keys, 'session_token', 'a session token', 'credential.payload'),
    },
    release: optionalText(place, 'release_label', RELEASE) ?? RELEASE,
    subnet: optionalText(place, 'subnet_id', 'subnet-0abc'),
    serviceRole: optionalText(place, 'service_role', SERVICE_ROLE) ?? SERVICE_ROLE,
    instanceProfile: optionalText(place, 'instance_profile', INSTANCE_PROFILE) ?? INSTANCE_PROFILE,
    idleMinutes: optionalInteger(place, 'idle_minutes', IDLE_RANGE) ?? IDLE_MINUTES,
  };
}

type Account = (action: string, body: Answer, signal: AbortSignal) => Promise<Answer>;

function accountOf(origin: string, { region, keys }: Place, { calls, clock }: ProviderTools, fields: readonly SentField[]): Account {
  return async (action, body, signal) => {
    const url = new URL(`${origin}/`);
    const text = JSON.stringify(body);
    const given = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `ElasticMapReduce.${action}` };
    const headers = signed({ url, headers: given, body: text, region, service: SERVICE, nowMs: clock.nowMs() }, keys);
    const reply = await calls({ url: url.href, method: 'POST', headers, body: text, provider: PROVIDER, signal });
    if (reply.status === 200) return answerOf(reply.body);
    const isCredential = /UnrecognizedClient|InvalidSignature|ExpiredToken|AccessDenied/.test(String(answerOf(reply.body).__type));
    throw refusedBy(isCredential ? { ...reply, status: 401 } : reply, { provider: PROVIDER, asked: action, fields });
  };
}

function emrAttempt(request: ClusterRequest, tools: ProviderTools, originOf: (region: string) => string): ClusterAttempt {
  const place = placeOf(request.place, request.credential);
  const fields = fieldsOf(request);
  const settings = settingsOf(request, place);
  const name = clusterName(request.owner, settings);
  const ask = accountOf(originOf(place.region), place, tools, fields);
  // Lists may lag behind what was created.
  let clusterId: string | undefined;
  let stepId: string | undefined;

  const pages = async (action: string, body: Answer, member: string, signal: AbortSignal): Promise<readonly Answer[]> => {
    const all: Answer[] = [];
    let marker: string | undefined;
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const answer = await ask(action, marker === undefined ? body : { ...body, Marker: marker }, signal);
      all.push(...answersOf(answer[member]));
      marker = textOf(answer.Marker);
      if (marker === undefined) break;
    }
    return all;
  };

  const findCluster = async (signal: AbortSignal): Promise<string | undefined> => {
    const clusters = await pages('ListClusters', { ClusterStates: ALIVE }, 'Clusters', signal);
    // Of two that were created at the same time everybody takes the same one; the other ends when it is idle.
    const ids = clusters.filter(({ Name }) => Name === name).map(({ Id }) => String(Id));
    return ids.toSorted()[0];
  };

  const server = async (cluster: Answer, id: string, signal: AbortSignal): Promise<ClusterStep> => {
    const steps = await pages('ListSteps', { ClusterId: id }, 'Steps', signal);
    for (let number = 1; number <= SERVERS_MAX; number += 1) {
      const own = serverName(request.run, number);
      const step = steps.find(({ Name }) => Name === own);
      if (step === undefined) {
        const { StepIds } = await ask('AddJobFlowSteps', { JobFlowId: id, Steps: [stepOf(own, request)] }, signal);
        stepId = Array.isArray(StepIds) ? textOf(StepIds[0]) : undefined;
        return { kind: 'waiting', name, state: 'Spark Connect PENDING' };
      }
      stepId = textOf(step.Id);
      const status = answerOf(step.Status);
      const state = textOf(status.State) ?? 'UNKNOWN';
      if (state === 'RUNNING') {
        const host = requiredAnswer(cluster, 'MasterPublicDnsName', PROVIDER);
        return { kind: 'running', name, connect: { host, port: serverPort(own), tls: false, token: undefined } };
      }
      if (!['COMPLETED', 'CANCELLED', 'FAILED', 'INTERRUPTED'].includes(state))
        return { kind: 'waiting', name, state: `Spark Connect ${state}` };
      if (number === SERVERS_MAX) throw problemWith(`Spark Connect ended on cluster ${name}`, failureOf(status), fields);
    }
    throw new SourceError(`Spark Connect ended on cluster ${name}`);
  };

  return {
    advance: async (signal) => {
      clusterId ??= await findCluster(signal);
      if (clusterId === undefined) {
        const created = await ask('RunJobFlow', { ...settings, Name: name }, signal);
        clusterId = requiredAnswer(created, 'JobFlowId', PROVIDER);
        return { kind: 'waiting', name, state: 'STARTING' };
      }
      const cluster = answerOf((await ask('DescribeCluster', { ClusterId: clusterId }, signal)).Cluster);
      const status = answerOf(cluster.Status);
      const state = textOf(status.State) ?? 'UNKNOWN';
      if (state === 'TERMINATED_WITH_ERRORS' || state === 'TERMINATED') {
        throw problemWith(`Amazon EMR ended cluster ${name}`, failureOf(status), fields);
      }
      // One that was idle for too long is replaced.
      if (state === 'TERMINATING') clusterId = undefined;
      if (clusterId === undefined || (state !== 'RUNNING' && state !== 'WAITING')) return { kind: 'waiting', name, state };
      return await server(cluster, clusterId, signal);
    },
    release: async (signal) => {
      if (clusterId === undefined || stepId === undefined) return;
      await ask('CancelSteps', { ClusterId: clusterId, StepIds: [stepId], StepCancellationOption: 'TERMINATE_PROCESS' }, signal);
    },
  };
}

function fieldsOf({ config: { cluster_b_config: block = {} }, place }: ClusterRequest): readonly SentField[] {
  const given = ['release_label', 'subnet_id', 'service_role', 'instance_profile'].map((member): SentField => {
    const value = place[member];
    return [`payload.${member}`, typeof value === 'string' ? value : undefined];
  });
  return [...Object.entries(block).map(([member, value]): SentField => [`cluster_b_config.${member}`, value]), ...given];
}

/** What is sent to create a cluster, but for its name. @throws SourceError */
function settingsOf({ config: { cluster_b_config: block = {} } }: ClusterRequest, place: Place): Answer {
  const { master_instance_type: master, worker_instance_type: worker, worker_instance_option: market = 'ON_DEMAND' } = block;
  if (master === undefined) throw missing('master_instance_type');
  if (worker === undefined) throw missing('worker_instance_type');
  // A cluster has one core node at least.
  const min = Math.max(1, block.min_instance_count ?? 1);
  const max = Math.max(min, block.max_instance_count ?? min);
  return {
    ReleaseLabel: place.release,
    Applications: [{ Name: 'Spark' }],
    Instances: {
      InstanceGroups: [
        { Name: 'master', InstanceRole: 'MASTER', InstanceType: master, InstanceCount: 1, Market: 'ON_DEMAND' },
        { Name: 'workers', InstanceRole: 'CORE', InstanceType: worker, InstanceCount: min, Market: market },
      ],
      KeepJobFlowAliveWhenNoSteps: true,
      ...(place.subnet !== undefined && { Ec2SubnetId: place.subnet }),
    },
    ...(max > min && {
      ManagedScalingPolicy: { ComputeLimits: { UnitType: 'Instances', MinimumCapacityUnits: min, MaximumCapacityUnits: max } },
    }),
    AutoTerminationPolicy: { IdleTimeout: place.idleMinutes * 60 },
    StepConcurrencyLevel: STEPS_AT_ONCE,
    ServiceRole: place.serviceRole,
    JobFlowRole: place.instanceProfile,
    Tags: [{ Key: 'created-by', Value: 'sextant' }],
  };
}

/** https://docs.aws.amazon.com/emr/latest/ReleaseGuide/emr-commandrunner.html */
function stepOf(name: string, { config }: ClusterRequest): Answer {
  const properties = Object.entries(serverProperties(config, serverPort(name)));
  const conf = properties.flatMap(([property, value]) => ['--conf', `${property}=${value}`]);
  const Args = ['spark-submit', '--deploy-mode', 'client', '--class', CONNECT_SERVER, '--name', name, ...conf, 'spark-internal'];
  return { Name: name, ActionOnFailure: 'CONTINUE', HadoopJarStep: { Jar: 'command-runner.jar', Args } };
}

/** Of a cluster `StateChangeReason`, of a step `FailureDetails`. */
function failureOf(status: Answer): string {
  const { Message: changed } = answerOf(status.StateChangeReason);
  const { Reason: reason, Message: message } = answerOf(status.FailureDetails);
  return [reason, message, changed]
    .map(textOf)
    .filter((part) => part !== undefined)
    .join(': ');
}

function missing(member: string): SourceError {
  const name = `cluster_b_config.${member}`;
  return new SourceError(`${name} of the Spark job configuration is missing; expected an instance type, such as m7g.xlarge`, {
    member: name,
  });
}
