// SPDX-License-Identifier: Apache-2.0
/**
 * Clusters of Google Dataproc, by block A of the Spark job configuration: https://cloud.google.com/dataproc/docs/reference/rest/v1/projects.regions.clusters
 * and `projects.regions.jobs`. Each run has a Connect server of its own, as a job: while none runs, the cluster is idle and is deleted
 * (https://cloud.google.com/dataproc/docs/concepts/configuring-clusters/scheduled-deletion).
 */
import type { Credential } from '@sextant/contracts-observability';
import { SourceError } from '../../connector.ts';
import { credentialOfType, optionalInteger, optionalText, requiredText } from '../../payload.ts';
import { uuidOf } from '../run-ids.ts';
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
import { GOOGLE_TOKENS, googleToken, privateKeyOf } from './google-token.ts';
import { type Answer, answerOf, problemWith, refusedBy, type SentField, textOf } from './provider-answers.ts';
import type { ProviderReply } from './provider-calls.ts';

const PROVIDER = 'Dataproc';
/** Spark 4.1: https://docs.cloud.google.com/managed-spark/docs/concepts/versioning/image-release-3.0 */
const IMAGE = '3.0';
const IDLE_MINUTES = 30;
/** Five minutes to 14 days. */
const IDLE_RANGE = { min: 5, max: 20_160 };
/** Whatever was left running on it, a cluster is gone after a day. */
const LIFE_HOURS = 24;
const PROJECT = /^[a-z][a-z0-9:.-]{0,127}$/;
const REGION = /^[a-z0-9-]{1,32}$/;

type Place = ReturnType<typeof placeOf>;

/** Others in tests alone. */
export type DataprocAddresses = { readonly originOf: (region: string) => string; readonly tokens: string };

const ADDRESSES: DataprocAddresses = { originOf: (region) => `https://${region}-dataproc.googleapis.com`, tokens: GOOGLE_TOKENS };

export function dataprocClusters(addresses: DataprocAddresses = ADDRESSES): ClusterProvider {
  return {
    validate: (place, credential) => {
      placeOf(place, credential);
    },
    check: async ({ place, credential }, tools, signal) => {
      const region = regionOf(addresses, placeOf(place, credential), tools);
      const reply = await region('GET', 'clusters?pageSize=1', signal);
      if (reply.status !== 200) throw refusedBy(reply, { provider: PROVIDER, asked: 'list clusters' });
    },
    attempt: (request, tools) => dataprocAttempt(request, tools, addresses),
  };
}

function placeOf(place: ClusterPlace, credential: Credential | null) {
  const key = credentialOfType(credential, 'GCP');
  const text = (member: string) => requiredText(key, member, 'what the key file of a service account holds', 'credential.payload');
  const project = optionalText(place, 'project', 'the id of a project') ?? text('project_id');
  if (!PROJECT.test(project)) throw new SourceError('payload.project is not the id of a project', { member: 'payload.project' });
  const region = requiredText(place, 'region', 'a region, such as europe-west3');
  if (!REGION.test(region)) throw new SourceError('payload.region is not the name of a region', { member: 'payload.region' });
  return {
    project,
    region,
    account: { email: text('client_email'), key: privateKeyOf(text('private_key')) },
    subnetwork: optionalText(place, 'subnetwork', 'the name or address of a subnetwork'),
    nodeAccount: optionalText(place, 'service_account', 'the service account of the nodes'),
    image: optionalText(place, 'image_version', IMAGE) ?? IMAGE,
    idleMinutes: optionalInteger(place, 'idle_minutes', IDLE_RANGE) ?? IDLE_MINUTES,
  };
}

type Region = (method: 'GET' | 'POST' | 'DELETE', path: string, signal: AbortSignal, body?: Answer) => Promise<ProviderReply>;

function regionOf({ originOf, tokens }: DataprocAddresses, { project, region, account }: Place, tools: ProviderTools): Region {
  const token = googleToken(tokens, account, tools);
  const root = `${originOf(region)}/v1/projects/${project}/regions/${region}`;
  return async (method, path, signal, body) => {
    const headers = { authorization: `Bearer ${await token(signal)}`, ...(body !== undefined && { 'content-type': 'application/json' }) };
    const call = { url: `${root}/${path}`, method, headers, provider: PROVIDER, signal };
    return await tools.calls(body === undefined ? call : { ...call, body: JSON.stringify(body) });
  };
}

function dataprocAttempt(request: ClusterRequest, tools: ProviderTools, addresses: DataprocAddresses): ClusterAttempt {
  const place = placeOf(request.place, request.credential);
  const fields = fieldsOf(request);
  const settings = settingsOf(request, place);
  const name = clusterName(request.owner, settings);
  const region = regionOf(addresses, place, tools);
  // Of what is asked within this attempt: a request that arrives twice does its work once.
  const startedMs = tools.clock.nowMs();
  let changes = 0;
  let job: string | undefined;
  const requestId = () => {
    changes += 1;
    return uuidOf(request.run, name, startedMs, changes);
  };

  const change = async (path: string, body: Answer, asked: string, signal: AbortSignal) => {
    const reply = await region('POST', path, signal, body);
    // Another attempt was first.
    if (reply.status !== 200 && reply.status !== 409) throw refusedBy(reply, { provider: PROVIDER, asked, fields });
  };

  const server = async (cluster: Answer, signal: AbortSignal): Promise<ClusterStep> => {
    for (let number = 1; number <= SERVERS_MAX; number += 1) {
      const own = serverName(request.run, number);
      const reply = await region('GET', `jobs/${own}`, signal);
      if (reply.status === 404) {
        const body = { requestId: requestId(), job: jobOf(own, name, request) };
        await change('jobs:submit', body, 'start Spark Connect', signal);
        job = own;
        return { kind: 'waiting', name, state: 'Spark Connect PENDING' };
      }
      if (reply.status !== 200) throw refusedBy(reply, { provider: PROVIDER, asked: 'say how Spark Connect is', fields });
      job = own;
      const status = answerOf(answerOf(reply.body).status);
      const state = textOf(status.state) ?? 'UNKNOWN';
      if (state === 'RUNNING') {
        return {
          kind: 'running',
          name,
          connect: { host: masterOf(cluster, place, name), port: serverPort(own), tls: false, token: undefined },
        };
      }
      if (!['CANCELLED', 'DONE', 'ERROR'].includes(state)) return { kind: 'waiting', name, state: `Spark Connect ${state}` };
      if (number === SERVERS_MAX) throw problemWith(`Spark Connect ended on cluster ${name}`, textOf(status.details) ?? state, fields);
    }
    throw new SourceError(`Spark Connect ended on cluster ${name}`);
  };

  return {
    advance: async (signal) => {
      const reply = await region('GET', `clusters/${name}`, signal);
      if (reply.status === 404) {
        const body = { projectId: place.project, clusterName: name, ...settings };
        await change(`clusters?requestId=${requestId()}`, body, 'create a cluster', signal);
        return { kind: 'waiting', name, state: 'CREATING' };
      }
      if (reply.status !== 200) throw refusedBy(reply, { provider: PROVIDER, asked: 'say how the cluster is', fields });
      const cluster = answerOf(reply.body);
      const status = answerOf(cluster.status);
      const state = textOf(status.state) ?? 'UNKNOWN';
      if (state === 'ERROR') {
        // The next attempt creates it again.
        await region('DELETE', `clusters/${name}?requestId=${requestId()}`, signal);
        throw problemWith(`Dataproc could not start cluster ${name}`, textOf(status.detail) ?? '', fields);
      }
      if (state === 'STOPPED') await change(`clusters/${name}:start`, { requestId: requestId() }, 'start the cluster', signal);
      if (state !== 'RUNNING' && state !== 'UPDATING') return { kind: 'waiting', name, state };
      return await server(cluster, signal);
    },
    release: async (signal) => {
      if (job !== undefined) await region('POST', `jobs/${job}:cancel`, signal, {});
    },
  };
}

function fieldsOf({ config: { cluster_a_config: block = {} }, place }: ClusterRequest): readonly SentField[] {
  const given = ['region', 'subnetwork', 'service_account', 'image_version'].map((member): SentField => {
    const value = place[member];
    return [`payload.${member}`, typeof value === 'string' ? value : undefined];
  });
  return [...Object.entries(block).map(([member, value]): SentField => [`cluster_a_config.${member}`, value]), ...given];
}

/** What is sent to create a cluster, but for its names. What the configuration leaves out is Dataproc's to choose. */
function settingsOf({ config: { cluster_a_config: block = {} } }: ClusterRequest, place: Place): Answer {
  const machines = (type: string | undefined, diskGb: number | undefined, instances: number): Answer => ({
    numInstances: instances,
    ...(type !== undefined && { machineTypeUri: type }),
    ...(diskGb !== undefined && { diskConfig: { bootDiskSizeGb: diskGb } }),
  });
  return {
    labels: { 'created-by': 'sextant' },
    config: {
      gceClusterConfig: {
        ...(place.subnetwork !== undefined && { subnetworkUri: place.subnetwork }),
        ...(place.nodeAccount !== undefined && { serviceAccount: place.nodeAccount }),
      },
      masterConfig: machines(block.master_node_type, block.spark_master_disk_size_in_gb, 1),
      workerConfig: machines(block.worker_node_type, block.spark_worker_disk_size_in_gb, 2),
      softwareConfig: { imageVersion: place.image },
      // A resource name; one behind https://<host>/v1/ is the same.
      ...(block.autoscale_policy !== undefined && {
        autoscalingConfig: { policyUri: block.autoscale_policy.replace(/^https:\/\/[^/]+\/v1\//, '') },
      }),
      lifecycleConfig: { idleDeleteTtl: `${place.idleMinutes * 60}s`, autoDeleteTtl: `${LIFE_HOURS * 3600}s` },
    },
  };
}

function jobOf(name: string, cluster: string, { config }: ClusterRequest): Answer {
  return {
    reference: { jobId: name },
    placement: { clusterName: cluster },
    labels: { 'created-by': 'sextant' },
    sparkJob: { mainClass: CONNECT_SERVER, properties: serverProperties(config, serverPort(name)) },
  };
}

/** The name of the master within its network: https://cloud.google.com/compute/docs/internal-dns#instance-fully-qualified-domain-names */
function masterOf(cluster: Answer, { project }: Place, name: string): string {
  const { zoneUri } = answerOf(answerOf(cluster.config).gceClusterConfig);
  const zone = textOf(zoneUri)?.split('/').at(-1);
  if (zone === undefined) throw new SourceError(`Dataproc answered without the zone of cluster ${name}`);
  // Of a project within a domain (`example.com:id`) the domain comes last.
  return `${name}-m.${zone}.c.${project.split(':').toReversed().join('.')}.internal`;
}
