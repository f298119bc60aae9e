// SPDX-License-Identifier: Apache-2.0
/**
 * An operation is one thing that a caller can ask for. It knows no transport: the adapter finds the caller and its tenant, lets the input
 * through the schemas of the endpoint table, and writes the answer.
 */
import type { Readable } from 'node:stream';
import type { BodyOf, endpoints, OperationId, ParamsOf, QueryOf, ResultOf } from '@sextant/contracts-observability';
import type { Clock } from '@sextant/foundation-std';
import type { Connectors } from '@sextant/observability-connectors';
import type { Metadata, TenantMetadata } from '@sextant/observability-metadata';
import type { Authentication } from '../auth/authentication.ts';
import type { Member } from '../auth/principal.ts';
import type { DeliveryMeans } from '../delivery/attempt.ts';
import type { ReadSelects } from '../sources/read-selects.ts';
import type { SourceAccess } from '../sources/source-access.ts';
import type { SqlCheck } from '../sources/sql-check.ts';

/** What every operation may use. */
export type Services = {
  readonly metadata: Metadata;
  readonly authentication: Authentication;
  readonly sources: SourceAccess;
  readonly sqlFault: SqlCheck;
  readonly columnsOfSelects: ReadSelects;
  readonly uploads: Connectors['uploads'];
  readonly uploadLimitBytes: number;
  /** Called when there is a new job. */
  readonly onEnqueued: () => void;
  readonly deliveryMeans: DeliveryMeans;
  /** Called when something waits in the outbox. */
  readonly onAnnounced: () => void;
  readonly clock: Clock;
};

/** What an operation within a tenant may use: nothing of it reaches another tenant but `metadata`, which those that create tenants need. */
export type TenantContext = Omit<Services, 'metadata'> & { readonly tenant: TenantMetadata; readonly member: Member };

/** What an operation is given, once it has been validated. */
export type Input<Id extends OperationId> = {
  readonly params: ParamsOf<Id>;
  readonly query: QueryOf<Id>;
  readonly body: BodyOf<Id>;
  /** The bytes of a body that is not read into memory. */
  readonly stream: Readable | undefined;
  /** Of the caller's socket. */
  readonly address: string;
  /** Aborts when the caller is gone. */
  readonly signal: AbortSignal;
};

type Outside = 'public' | 'platform';

export type ContextOf<Id extends OperationId> = (typeof endpoints)[Id]['needs'] extends { readonly scope: Outside }
  ? Services
  : TenantContext;

type DeepReadonly<T> = T extends object ? { readonly [Name in keyof T]: DeepReadonly<T[Name]> } : T;

/** One operation; its endpoint is the row of the table that has its id. The adapter gives it the context of its scope and the input of its row. */
export type Operation = {
  readonly id: OperationId;
  readonly run: (context: Services & TenantContext, input: Input<never>) => Promise<unknown>;
};

/** Ties an operation to its row of the endpoint table, which types what it is given and what it answers. */
export function operation<Id extends OperationId>(
  id: Id,
  run: (context: ContextOf<Id>, input: Input<Id>) => Promise<DeepReadonly<ResultOf<Id>>>,
): Operation {
  return { id, run };
}
