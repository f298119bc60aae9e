/**
 * An operation is one thing that a caller can ask for. It knows no transport: the REST and gRPC adapters decode,
 * `execute` validates, the operation runs. Reads run on the serving thread that got them; writes, and whatever
 * changes shared state, run on the writer thread, which also decodes their bodies, so that a large upsert is parsed off
 * the path of readers.
 */
import type { EngineReads, EngineWrites } from '@sextant/vector-collection';
import type { Caller } from '../auth/auth.ts';

/** A request as a transport hands it over; the body is still raw bytes. It can be cloned to another thread. */
export type OperationRequest = {
  readonly operation: string;
  readonly params: { readonly [name: string]: string };
  readonly query: { readonly [name: string]: string };
  readonly body: Uint8Array | undefined;
  readonly caller: Caller;
};

/** A finished answer: its REST status and its body as JSON text (the envelope included). */
export type OperationReply = {
  readonly status: number;
  readonly body: string;
  readonly headers?: { readonly [name: string]: string };
};

/** What a read may use. */
export type ReadContext = { readonly engine: EngineReads };

/** What a write may use. */
export type WriteContext = { readonly engine: EngineReads & EngineWrites };

/** Answers requests: locally, or by handing them to the writer thread. */
export type Dispatch = (request: OperationRequest) => Promise<OperationReply>;
