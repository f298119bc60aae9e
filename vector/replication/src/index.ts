// SPDX-License-Identifier: Apache-2.0
export { type ReplicationStatus, Replicator } from './replicator.ts';
export { ReplicationRefusedError } from './standing.ts';
