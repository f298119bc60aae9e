// SPDX-License-Identifier: Apache-2.0
/** The clusters that a connection can name, one for each block of the Spark job configuration. */
import type { Credential } from '@sextant/contracts-observability';
import type { OutboundGuard } from '@sextant/foundation-service';
import type { Clock } from '@sextant/foundation-std';
import { SourceError } from '../../connector.ts';
import { optionalText, type Payload } from '../../payload.ts';
import type { ClusterProvider } from './cluster.ts';
import { type ClusterLauncher, clusterLauncher } from './cluster-launcher.ts';
import { databricksClusters } from './databricks.ts';
import { dataprocClusters } from './dataproc.ts';
import { emrClusters } from './emr.ts';

const CLUSTER_KINDS = ['DATAPROC', 'EMR', 'DATABRICKS'] as const;
export type ClusterKind = (typeof CLUSTER_KINDS)[number];

const PROVIDERS: { readonly [kind in ClusterKind]: ClusterProvider } = {
  DATAPROC: dataprocClusters(),
  EMR: emrClusters(),
  DATABRICKS: databricksClusters(),
};
const MEMBER = 'payload.cluster';

/** Members that belong to a Spark at an address or on this machine. */
const OF_OTHERS: { readonly [kind in ClusterKind]: readonly string[] } = {
  DATAPROC: ['host', 'port', 'ssl', 'ssl_ca', 'local'],
  EMR: ['host', 'port', 'ssl', 'ssl_ca', 'local'],
  DATABRICKS: ['port', 'ssl', 'ssl_ca', 'local'],
};

/** Undefined where the connection is to no cluster. @throws SourceError for one that is not known */
export function clusterKindOf(payload: Payload): ClusterKind | undefined {
  const named = optionalText(payload, 'cluster', CLUSTER_KINDS.join(', '));
  if (named === undefined) return undefined;
  const kind = CLUSTER_KINDS.find((each) => each === named);
  if (kind !== undefined) return kind;
  throw new SourceError(`${MEMBER} must be one of ${CLUSTER_KINDS.join(', ')}`, { member: MEMBER });
}

/** @throws SourceError that names the member which is wrong */
export function validateCluster(payload: Payload, credential: Credential | null): void {
  const kind = clusterKindOf(payload);
  if (kind === undefined) return;
  const given = OF_OTHERS[kind].find((member) => payload[member] !== undefined && payload[member] !== null);
  if (given !== undefined) {
    const member = `payload.${given}`;
    throw new SourceError(`${member} is not for a cluster of ${kind}; leave it out, or ${MEMBER}`, { member });
  }
  PROVIDERS[kind].validate(payload, credential);
}

type Tools = { readonly outbound: OutboundGuard; readonly clock: Clock };

export function clusterLaunchers(tools: Tools): { readonly [kind in ClusterKind]: ClusterLauncher } {
  return {
    DATAPROC: clusterLauncher(PROVIDERS.DATAPROC, tools),
    EMR: clusterLauncher(PROVIDERS.EMR, tools),
    DATABRICKS: clusterLauncher(PROVIDERS.DATABRICKS, tools),
  };
}
