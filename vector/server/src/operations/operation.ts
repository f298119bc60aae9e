// SPDX-License-Identifier: Apache-2.0
/**
 * An operation is one thing that a caller can ask for. It knows no transport: the REST and gRPC adapters decode,
 * the executor validates, the operation runs. Reads run on the serving thread that got them; writes, and whatever
 * changes shared state, run on the writer thread, which also decodes their bodies, so that a large upsert is parsed off
 * the path of readers.
 */
import type { BodyOf, ErrorCode, OperationId, ParamsOf } from '@sextant/contracts-vector';
import type { endpoints } from '@sextant/contracts-vector/schemas';
import type { RequestStatistic } from '@sextant/foundation-service';
import type { Clock } from '@sextant/foundation-std';
import type { EngineReads, EngineWrites, Maintenance, SnapshotReads } from '@sextant/vector-collection';
import type { AuthAdministration } from '../auth/administration.ts';
import type { Caller, Principal } from '../auth/auth.ts';
import type { ClusterReads } from '../cluster/cluster-reads.ts';
import type { Cluster } from '../cluster/peers.ts';
import type { FailureLog } from '../failure-log.ts';
import type { SnapshotService } from '../snapshots/snapshot-service.ts';
import type { Helper } from './search/batch.ts';

/** A request as a transport hands it over; the body is still raw bytes. It can be cloned to another thread. */
export type OperationRequest = {
  readonly operation: string;
  readonly params: { readonly [name: string]: string };
  readonly query: { readonly [name: string]: string };
  readonly body: Uint8Array | undefined;
  /** The call of the gRPC protocol whose message the body is; without it, the body is JSON. */
  readonly call?: string;
  readonly caller: Caller;
  /** Whether the status of a write is answered in lower case, and not as the specification spells it. */
  readonly lowercaseStatus?: boolean;
  /** Who the caller turned out to be, on the thread that took the request. */
  readonly principal: Principal;
};

/** A finished answer: its REST status and its body as JSON text (the envelope included). */
export type OperationReply = {
  readonly status: number;
  readonly body: string;
  readonly headers?: { readonly [name: string]: string };
  /** Of a refusal. */
  readonly error?: ErrorCode;
  /** Whose points or description a call was about; only the thread that reads its message knows. */
  readonly collection?: string;
};

/** What a read may use. */
export type ReadContext = {
  readonly engine: EngineReads & SnapshotReads;
  readonly clock: Clock;
  /** How many threads answer requests, and how many build graphs. */
  readonly threads?: { readonly serving: number; readonly indexing: number };
  /** In a cluster: resolves when this node has everything that any node had acknowledged by now. */
  readonly caughtUp?: (() => Promise<void>) | undefined;
  /** In a cluster: what is known of it here. */
  readonly clusterReads?: ClusterReads | undefined;
  /** The run of the service that answers, for its telemetry. */
  readonly instance?: Instance;
  /** Other threads that take part in a large batch. */
  readonly helpers?: readonly Helper[];
};

export type Instance = {
  readonly id: string;
  readonly startedMs: number;
  /** What each thread has counted. */
  requests(): Promise<readonly (readonly RequestStatistic[])[]>;
};

/** What a write may use. */
export type WriteContext = {
  readonly engine: EngineReads & EngineWrites & Maintenance & SnapshotReads;
  readonly snapshots: SnapshotService;
  readonly clock: Clock;
  /** The cluster that this node is part of, if it is. */
  readonly cluster?: Cluster | undefined;
  /** For what goes on when the caller has its answer. */
  readonly log: FailureLog;
};

/** What the administration of credentials may use. */
export type AuthContext = { readonly auth: AuthAdministration };

/** Answers requests: locally, or by handing them to the writer thread. */
export type Dispatch = (request: OperationRequest) => Promise<OperationReply>;

/** What an operation is given, once it has been validated. */
export type Input<Id extends OperationId> = {
  readonly params: ParamsOf<Id>;
  /** As text, by name; its endpoint's schema has let it through. */
  readonly query: { readonly [name: string]: string };
  readonly body: BodyOf<Id>;
  readonly caller: Caller;
  readonly principal: Principal;
};

type ContextOf<Id extends OperationId> = (typeof endpoints)[Id] extends { readonly tag: 'Authentication' }
  ? AuthContext
  : (typeof endpoints)[Id]['thread'] extends 'writer'
    ? WriteContext
    : ReadContext;

/** One operation; its endpoint is the row of the table that has its id. `run` answers the result, without the envelope. */
export type Operation<Context> = {
  readonly id: OperationId;
  readonly run: (context: Context, input: Input<never>) => Promise<unknown>;
};

/** Ties an operation to its row of the endpoint table, which types what it is given. */
export function operation<Id extends OperationId>(
  id: Id,
  run: (context: ContextOf<Id>, input: Input<Id>) => Promise<unknown>,
): Operation<ContextOf<Id>> {
  return { id, run };
}
