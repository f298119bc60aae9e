// SPDX-License-Identifier: Apache-2.0
/**
 * Clusters of Databricks, by block C of the Spark job configuration: https://docs.databricks.com/api/workspace/clusters (create, list, start, libraries).
 * Spark Connect is at the workspace itself, with the cluster in a header: https://pypi.org/project/databricks-connect/
 */
import type { Credential } from '@sextant/contracts-observability';
import { SourceError } from '../../connector.ts';
import { credentialOfType, optionalInteger, requiredText } from '../../payload.ts';
import {
  type ClusterAttempt,
  type ClusterPlace,
  type ClusterProvider,
  type ClusterRequest,
  type ClusterStep,
  clusterName,
  type ProviderTools,
} from './cluster.ts';
import {
  type Answer,
  answerOf,
  answersOf,
  problemWith,
  type Refusal,
  refusedBy,
  requiredAnswer,
  type SentField,
  textOf,
} from './provider-answers.ts';

const PROVIDER = 'Databricks';
const PORT = 443;
const IDLE_MINUTES = 30;
/** Autotermination: 10 to 10,000 minutes (https://docs.databricks.com/api/workspace/clusters/create). */
const IDLE_RANGE = { min: 10, max: 10_000 };
const PAGES_MAX = 100;
/** Libraries are installed by the platform; these properties of Spark would be too late there. */
const PACKAGES = 'spark.jars.packages';
const JARS = 'spark.jars';
const HOST = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i;

type Place = { readonly host: string; readonly token: string; readonly idleMinutes: number };

/** `originOf` is another one in tests alone. */
export function databricksClusters(originOf: (host: string) => string = (host) => `https://${host}`): ClusterProvider {
  return {
    validate: (place, credential) => {
      placeOf(place, credential);
    },
    check: async ({ place, credential }, tools, signal) => {
      const workspace = placeOf(place, credential);
      await workspaceOf(originOf(workspace.host), workspace, tools, []).get('2.1/clusters/list?page_size=1', signal, 'list clusters');
    },
    attempt: (request, tools) => databricksAttempt(request, tools, originOf),
  };
}

function placeOf(place: ClusterPlace, credential: Credential | null): Place {
  const host = requiredText(place, 'host', 'the host of a workspace, such as dbc-a1b2.cloud.databricks.com');
  if (!HOST.test(host)) throw new SourceError('payload.host is not the host of a workspace', { member: 'payload.host' });
  const token = requiredText(credentialOfType(credential, 'TOKEN'), 'token', 'an access token', 'credential.payload');
  return { host, token, idleMinutes: optionalInteger(place, 'idle_minutes', IDLE_RANGE) ?? IDLE_MINUTES };
}

type Workspace = {
  get(path: string, signal: AbortSignal, asked: string): Promise<Answer>;
  post(path: string, body: Answer, signal: AbortSignal, asked: string): Promise<Answer>;
};

function workspaceOf(origin: string, { token }: Place, { calls }: ProviderTools, fields: readonly SentField[]): Workspace {
  const send = async (method: 'GET' | 'POST', path: string, asked: string, signal: AbortSignal, body?: Answer) => {
    const headers = { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) };
    const call = { url: `${origin}/api/${path}`, method, headers, provider: PROVIDER, signal };
    const reply = await calls(body === undefined ? call : { ...call, body: JSON.stringify(body) });
    const refusal: Refusal = { provider: PROVIDER, asked, fields };
    if (reply.status !== 200) throw refusedBy(reply, refusal);
    return answerOf(reply.body);
  };
  return {
    get: (path, signal, asked) => send('GET', path, asked, signal),
    post: (path, body, signal, asked) => send('POST', path, asked, signal, body),
  };
}

function databricksAttempt(request: ClusterRequest, tools: ProviderTools, originOf: (host: string) => string): ClusterAttempt {
  const place = placeOf(request.place, request.credential);
  const { cluster_c_config: block = {}, spark_properties: properties = {} } = request.config;
  const fields: readonly SentField[] = Object.entries(block).map(([member, value]) => [`cluster_c_config.${member}`, value]);
  const workspace = workspaceOf(originOf(place.host), place, tools, fields);
  const libraries = librariesOf(properties);
  const settings = settingsOf(request, place);
  const name = clusterName(request.owner, settings);
  let begun = false;

  const found = async (signal: AbortSignal): Promise<Answer | undefined> => {
    const named: Answer[] = [];
    let token: string | undefined;
    let pages = 0;
    do {
      const after = token === undefined ? '' : `&page_token=${encodeURIComponent(token)}`;
      const page = await workspace.get(`2.1/clusters/list?page_size=100${after}`, signal, 'list clusters');
      named.push(...answersOf(page.clusters).filter(({ cluster_name: each }) => each === name));
      token = textOf(page.next_page_token);
      pages += 1;
    } while (token !== undefined && pages < PAGES_MAX);
    // Of two that were created at the same time everybody takes the same one; the other ends when it is idle.
    return named.toSorted((one, other) => String(one.cluster_id).localeCompare(String(other.cluster_id)))[0];
  };

  const begin = async (path: string, body: Answer, signal: AbortSignal, asked: string): Promise<ClusterStep> => {
    await workspace.post(path, body, signal, asked);
    begun = true;
    return { kind: 'waiting', name, state: 'PENDING' };
  };

  const installed = async (id: string, signal: AbortSignal): Promise<string | undefined> => {
    if (libraries.length === 0) return undefined;
    const path = `2.0/libraries/cluster-status?cluster_id=${encodeURIComponent(id)}`;
    const { library_statuses: statuses } = await workspace.get(path, signal, 'say which libraries are installed');
    const known = answersOf(statuses);
    const failed = known.find(({ status }) => status === 'FAILED');
    if (failed !== undefined) {
      const messages = Array.isArray(failed.messages) ? failed.messages.map(String).join(' ') : '';
      const which = JSON.stringify(failed.library);
      throw new SourceError(`Databricks could not install ${which} (see spark_properties.${PACKAGES}): ${messages.slice(0, 300)}`, {
        member: `spark_properties.${PACKAGES}`,
      });
    }
    const missing = libraries.filter((library) => !known.some((each) => JSON.stringify(each.library) === JSON.stringify(library)));
    if (missing.length > 0) {
      await workspace.post('2.0/libraries/install', { cluster_id: id, libraries: missing }, signal, 'install libraries');
      return 'libraries PENDING';
    }
    const waiting = known.find(({ status }) => status !== 'INSTALLED' && status !== 'SKIPPED' && status !== 'RESTORED');
    return waiting === undefined ? undefined : `libraries ${String(waiting.status)}`;
  };

  return {
    advance: async (signal) => {
      const cluster = await found(signal);
      if (cluster === undefined) {
        // A request that arrives twice creates one.
        const body = { ...settings, cluster_name: name, idempotency_token: name };
        return await begin('2.1/clusters/create', body, signal, 'create a cluster');
      }
      const id = requiredAnswer(cluster, 'cluster_id', PROVIDER);
      const state = textOf(cluster.state) ?? 'UNKNOWN';
      if (state === 'TERMINATED' || state === 'ERROR') {
        if (begun) throw problemWith(`Databricks ended cluster ${name}`, reasonOf(cluster), fields);
        return await begin('2.1/clusters/start', { cluster_id: id }, signal, `start cluster ${name}`);
      }
      if (state !== 'RUNNING' && state !== 'RESIZING') return { kind: 'waiting', name, state };
      const waiting = await installed(id, signal);
      if (waiting !== undefined) return { kind: 'waiting', name, state: waiting };
      const headers = { 'x-databricks-cluster-id': id };
      const tls = { certificateAuthority: undefined };
      return { kind: 'running', name, connect: { host: place.host, port: PORT, tls, token: place.token, headers } };
    },
    // It is shared, and ends by itself when no command of Spark has run for a while.
    release: async () => {},
  };
}

/** What is sent to create a cluster, but for its names. @throws SourceError */
function settingsOf({ config }: ClusterRequest, { idleMinutes }: Place): Answer {
  const { cluster_c_config: block = {}, spark_properties: properties = {} } = config;
  const { spark_version, node_type, instance_pool_id, driver_instance_pool_id, policy_id } = block;
  if (spark_version === undefined) throw missing('spark_version', 'a version of the runtime with Spark 4, such as 17.3.x-scala2.13');
  if (node_type === undefined && instance_pool_id === undefined && policy_id === undefined) {
    throw missing('node_type', 'a node type, or an instance_pool_id or a policy_id that brings one');
  }
  const conf = Object.fromEntries(Object.entries(properties).filter(([name]) => name !== PACKAGES && name !== JARS));
  return {
    spark_version,
    ...(node_type !== undefined && { node_type_id: node_type }),
    ...(instance_pool_id !== undefined && { instance_pool_id }),
    ...(driver_instance_pool_id !== undefined && { driver_instance_pool_id }),
    // The policy also says what the configuration leaves out.
    ...(policy_id !== undefined && { policy_id, apply_policy_default_values: true }),
    ...workersOf(block),
    ...(Object.keys(conf).length > 0 && { spark_conf: conf }),
    autotermination_minutes: idleMinutes,
    custom_tags: { 'created-by': 'sextant' },
  };
}

function workersOf({
  min_instance_count: min,
  max_instance_count: max,
}: {
  min_instance_count?: number;
  max_instance_count?: number;
}): Answer {
  if (max !== undefined && max !== (min ?? 1)) return { autoscale: { min_workers: min ?? 1, max_workers: max } };
  return { num_workers: max ?? min ?? 1 };
}

function librariesOf(properties: { readonly [name: string]: string }): readonly Answer[] {
  const list = (name: string) =>
    (properties[name] ?? '')
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '');
  return [...list(PACKAGES).map((coordinates) => ({ maven: { coordinates } })), ...list(JARS).map((jar) => ({ jar }))];
}

/** https://docs.databricks.com/api/workspace/clusters/get (`termination_reason`) */
function reasonOf(cluster: Answer): string {
  const { code, parameters } = answerOf(cluster.termination_reason);
  const cause = Object.values(answerOf(parameters)).map(String).join(' ');
  return [textOf(code), cause === '' ? textOf(cluster.state_message) : cause].filter((part) => part !== undefined).join(': ');
}

function missing(member: string, expected: string): SourceError {
  const name = `cluster_c_config.${member}`;
  return new SourceError(`${name} of the Spark job configuration is missing; expected ${expected}`, { member: name });
}
