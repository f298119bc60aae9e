export { type ReplicationStatus, Replicator } from './replicator.ts';
export { ReplicationRefusedError } from './standing.ts';
