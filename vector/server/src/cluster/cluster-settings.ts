// SPDX-License-Identifier: Apache-2.0
/** What an operator sets of a cluster. Without a log the service stands alone. */
import { type Configuration, integer, text } from '@sextant/foundation-service';
import { isLogUrl, LOG_URLS } from '@sextant/vector-log';

export const clusterSettings = {
  clusterLog: text({
    name: 'SERVICE_CLUSTER_LOG',
    meaning: 'URL of the log that orders the writes of a cluster (postgresql://… or nats://…). If not set, the service is a single node',
    secret: true,
  }),
  clusterNode: text({
    name: 'SERVICE_CLUSTER_NODE',
    meaning: 'Unique name of this node in the cluster. Do not change it while the node keeps its data directory',
  }),
  clusterAddress: text({
    name: 'SERVICE_CLUSTER_ADDRESS',
    meaning: 'Where clients and other nodes reach this node, as /cluster tells them: http://host:port',
  }),
  clusterSecret: text({
    name: 'SERVICE_CLUSTER_SECRET',
    meaning:
      'Secret with which the nodes of a cluster authenticate each other, the same on every node. With a secret, new collections can have several shards',
    secret: true,
  }),
  clusterReplaceSeconds: integer({
    name: 'SERVICE_CLUSTER_REPLACE_SECONDS',
    meaning:
      'Time that a node must be unreachable before its shards are copied to other nodes and its recoveries are aborted, in seconds; with 0, this happens only for removed nodes',
    fallback: 600,
    min: 0,
    max: 31_536_000,
  }),
} as const;

type ClusterConfiguration = Configuration<typeof clusterSettings>;

export type ClusterSettings = {
  readonly url: string;
  readonly node: string;
  readonly address: string;
  /** Undefined where nodes do not ask each other. */
  readonly secret: string | undefined;
  /** Of a silent node, until its shards are copied to others; undefined where that is not done. */
  readonly replaceAfterMs: number | undefined;
};

/** As many characters as cannot be guessed. */
const SECRET_LENGTH_MIN = 16;

const NODE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

/** Undefined for a service that stands alone. The problems have been looked for. */
export function clusterSettingsOf({
  clusterLog,
  clusterNode,
  clusterAddress,
  clusterSecret,
  clusterReplaceSeconds,
}: ClusterConfiguration): ClusterSettings | undefined {
  if (clusterLog === undefined || clusterNode === undefined || clusterAddress === undefined) return undefined;
  const replaceAfterMs = clusterReplaceSeconds === 0 ? undefined : clusterReplaceSeconds * 1000;
  return { url: clusterLog, node: clusterNode, address: clusterAddress, secret: clusterSecret, replaceAfterMs };
}

export function clusterProblems({
  clusterLog,
  clusterNode,
  clusterAddress,
  clusterSecret,
  authEnabled,
}: ClusterConfiguration & { readonly authEnabled: boolean }): readonly string[] {
  if (clusterLog === undefined) {
    const alone = { SERVICE_CLUSTER_NODE: clusterNode, SERVICE_CLUSTER_ADDRESS: clusterAddress, SERVICE_CLUSTER_SECRET: clusterSecret };
    return Object.entries(alone).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name} is set, but SERVICE_CLUSTER_LOG is not`],
    );
  }
  const problems: string[] = [];
  if (!isLogUrl(clusterLog)) problems.push(`SERVICE_CLUSTER_LOG is not the URL of a log; expected ${LOG_URLS}`);
  if (clusterNode === undefined) problems.push('SERVICE_CLUSTER_NODE is missing; expected a name that no other node of the cluster has');
  else if (!NODE_NAME.test(clusterNode))
    problems.push(
      `SERVICE_CLUSTER_NODE is ${JSON.stringify(clusterNode)}; expected up to 63 letters, digits, dots, hyphens and underscores`,
    );
  if (clusterAddress === undefined)
    problems.push('SERVICE_CLUSTER_ADDRESS is missing; expected the address of this node, http://host:port');
  else if (!['http:', 'https:'].includes(URL.parse(clusterAddress)?.protocol ?? ''))
    problems.push(`SERVICE_CLUSTER_ADDRESS is ${JSON.stringify(clusterAddress)}; expected an http or https address`);
  if (clusterSecret !== undefined && clusterSecret.length < SECRET_LENGTH_MIN)
    problems.push(`SERVICE_CLUSTER_SECRET is too short; expected at least ${SECRET_LENGTH_MIN} characters, the same on every node`);
  if (authEnabled && clusterSecret === undefined) {
    problems.push(
      'SERVICE_AUTH_ENABLED in a cluster needs SERVICE_CLUSTER_SECRET, with which nodes accept logins of other nodes; set the same secret on every node',
    );
  }
  return problems;
}
