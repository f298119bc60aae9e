// SPDX-License-Identifier: Apache-2.0
/** What would change one node of a cluster alone, or cannot be done on all of them at once, is refused there. */
import { type OperationId, ServiceError } from '@sextant/contracts-vector';
import type { Cluster } from './peers.ts';

const CREDENTIALS = 'nodes cannot verify logins of other nodes without SERVICE_CLUSTER_SECRET; set the same secret on every node';
const REPLACING = 'a collection cannot be replaced in a cluster; recover the snapshot from its file or URL as a new collection';

const OF_CREDENTIALS: ReadonlySet<string> = new Set<OperationId>([
  'create_admin',
  'reset_password',
  'set_enforced',
  'create_token',
  'rotate_token',
  'delete_token',
]);

const NAMED_RECOVERY: OperationId = 'recover_named_snapshot';

export function refuseInCluster(operation: string, { sharesCredentials }: Pick<Cluster, 'sharesCredentials'>): void {
  const ofCredentials = OF_CREDENTIALS.has(operation) && !sharesCredentials ? CREDENTIALS : undefined;
  const reason = operation === NAMED_RECOVERY ? REPLACING : ofCredentials;
  if (reason !== undefined) throw new ServiceError('not_in_cluster', { operation, reason });
}
