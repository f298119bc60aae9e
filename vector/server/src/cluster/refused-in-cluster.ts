// SPDX-License-Identifier: Apache-2.0
/** What would change one node of a cluster alone, or cannot be done on all of them at once, is refused there. */
import { type OperationId, ServiceError } from '@sextant/contracts-vector';

const CREDENTIALS = 'credentials would be known to this node alone; authenticate callers in a proxy before the nodes';
const REPLACING = 'no collection is replaced in a cluster; recover the snapshot from its file or its URL as a new collection';

const REFUSED: ReadonlyMap<string, string> = new Map<OperationId, string>([
  ['create_admin', CREDENTIALS],
  ['reset_password', CREDENTIALS],
  ['set_enforced', CREDENTIALS],
  ['create_token', CREDENTIALS],
  ['rotate_token', CREDENTIALS],
  ['delete_token', CREDENTIALS],
  ['recover_named_snapshot', REPLACING],
]);

export function refuseInCluster(operation: string): void {
  const reason = REFUSED.get(operation);
  if (reason !== undefined) throw new ServiceError('not_in_cluster', { operation, reason });
}
