// SPDX-License-Identifier: Apache-2.0
/** What would change one node of a cluster alone is refused there. */
import { type OperationId, ServiceError } from '@sextant/contracts-vector';

const CREDENTIALS = 'credentials would be known to this node alone; authenticate callers in a proxy before the nodes';
const RECOVERY = 'it would change this node alone; write the points to the cluster';

const REFUSED: ReadonlyMap<string, string> = new Map<OperationId, string>([
  ['create_admin', CREDENTIALS],
  ['reset_password', CREDENTIALS],
  ['set_enforced', CREDENTIALS],
  ['create_token', CREDENTIALS],
  ['rotate_token', CREDENTIALS],
  ['delete_token', CREDENTIALS],
  ['recover_snapshot', RECOVERY],
  ['recover_named_snapshot', RECOVERY],
  ['recover_uploaded_snapshot', RECOVERY],
]);

export function refuseInCluster(operation: string): void {
  const reason = REFUSED.get(operation);
  if (reason !== undefined) throw new ServiceError('not_in_cluster', { operation, reason });
}
