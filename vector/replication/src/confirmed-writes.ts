// SPDX-License-Identifier: Apache-2.0
/**
 * Writes of collections whose `write_consistency_factor` is above one. The log has no leader that could count replicas, so the node that takes such a write asks
 * them: before the write goes to the log whether enough are alive, and after that whether they have applied everything up to its position. Nobody answers before
 * enough have. What the log has cannot be taken back: where too few confirm in time, the write is there, and the caller is told so.
 */
import { ServiceError } from '@sextant/contracts-vector';
import { type Clock, pause } from '@sextant/foundation-std';
import {
  type CollectionOperation,
  isPointOperation,
  keysNamed,
  type OperationRunner,
  type PointOperation,
  pointsNamed,
  type ShardPlace,
  shardOfPoint,
} from '@sextant/vector-collection';

/** A shard, or a collection in one piece. */
export type CopiedPart = {
  readonly name: string;
  readonly nodes: readonly string[];
  /** Which points fall to it; absent of a collection in one piece. */
  readonly place?: ShardPlace;
};

export type Confirmation = { readonly factor: number; readonly parts: readonly CopiedPart[] };

export type ConfirmedWritesOptions = {
  readonly runner: OperationRunner;
  /** What a collection wants of its writes, and its parts; undefined of one that there is not. */
  readonly wanted: (collection: string) => Promise<Confirmation | undefined>;
  readonly isAlive: (node: string) => boolean;
  /** Asks the log who is there now. */
  readonly meet: () => Promise<void>;
  /** Resolves when a node has a part with everything up to a position of the log; rejects where it cannot be asked now. */
  readonly confirm: (node: string, part: string, options: { readonly atLeast: number; readonly signal: AbortSignal }) => Promise<unknown>;
  /** The position of the log up to which this node has acknowledged writes. */
  readonly acknowledged: () => number;
  readonly clock: Clock;
};

/** As long as it takes to know that a node is dead. */
const PATIENCE_MS = 10_000;
const RETRY_PAUSE_MS = 250;

export function confirmedWrites(options: ConfirmedWritesOptions): OperationRunner {
  const { runner, wanted, acknowledged } = options;
  return {
    onCatalog: (operation) => runner.onCatalog(operation),
    onCollection: async (operation) => {
      const confirmation = isPointOperation(operation) ? await wanted(operation.collection) : undefined;
      if (confirmation === undefined || !isPointOperation(operation)) return runner.onCollection(operation);
      const parts = partsToConfirm(operation, confirmation);
      // Who has just come back, or joined, may not be known yet.
      if (!parts.every((part) => hasEnough(part, options))) await options.meet();
      for (const part of parts) if (!hasEnough(part, options)) throw tooFew(operation, part, options);
      const result = await runner.onCollection(operation);
      await confirmWhereItIs(operation, { ...options, atLeast: acknowledged() });
      return result;
    },
  };
}

type ChangedPart = CopiedPart & { readonly needed: number };

/** Those of the parts of a collection that an operation changes. */
export function partsChangedBy<Part extends Pick<CopiedPart, 'place'>>(operation: PointOperation, parts: readonly Part[]): readonly Part[] {
  const ids = pointsNamed(operation);
  const keys = keysNamed(operation.shardKey);
  return parts.filter(({ place }) => {
    if (place === undefined) return ids === undefined || ids.length > 0;
    const isUnderKey = keys === undefined || place.key === undefined || keys.includes(place.key);
    return isUnderKey && (ids === undefined || ids.some((id) => shardOfPoint(id, place.count) === place.index));
  });
}

/** Those that an operation changes, but for the ones of which no other node has to be asked. */
function partsToConfirm(operation: PointOperation, { factor, parts }: Confirmation): readonly ChangedPart[] {
  // There are never more confirmations than copies.
  const changed = partsChangedBy(operation, parts).map((part) => ({ ...part, needed: Math.min(factor, part.nodes.length) }));
  return changed.filter(({ needed }) => needed > 1);
}

function hasEnough({ nodes, needed }: ChangedPart, { isAlive }: ConfirmedWritesOptions): boolean {
  return nodes.filter(isAlive).length >= needed;
}

function tooFew({ collection }: CollectionOperation, { nodes, needed }: ChangedPart, { isAlive }: ConfirmedWritesOptions): ServiceError {
  const away = nodes.filter((node) => !isAlive(node));
  return new ServiceError('replicas_missing', { collection, needed, alive: nodes.length - away.length, away: away.join(', ') });
}

type Confirming = ConfirmedWritesOptions & { readonly atLeast: number };

/** Shards may take the place of others meanwhile, and have what was written to those. */
async function confirmWhereItIs(operation: PointOperation, options: Confirming): Promise<void> {
  const { collection } = operation;
  for (;;) {
    const now = await options.wanted(collection);
    // What was written went with it.
    if (now === undefined) return;
    const parts = partsToConfirm(operation, now);
    try {
      return await confirmAll(operation, parts, options);
    } catch (error) {
      const arePlaced = await Promise.all(parts.map(({ name }) => isPlaced(collection, name, options)));
      if (arePlaced.every(Boolean)) throw error;
    }
  }
}

async function isPlaced(collection: string, part: string, { wanted }: Pick<ConfirmedWritesOptions, 'wanted'>): Promise<boolean> {
  return (await wanted(collection))?.parts.some(({ name }) => name === part) === true;
}

async function confirmAll({ collection }: CollectionOperation, parts: readonly ChangedPart[], options: Confirming): Promise<void> {
  if (parts.length === 0) return;
  const ended = new AbortController();
  const timer = options.clock.after(PATIENCE_MS, () => ended.abort(new Error('it did not answer in time')));
  try {
    await Promise.all(parts.map((part) => confirmPart(collection, part, { ...options, signal: ended.signal })));
  } finally {
    timer.cancel();
    // Those that were not needed.
    ended.abort(new Error('its answer was no longer needed'));
  }
}

/** Asks all copies at once; resolves with the last one that is needed. */
function confirmPart(
  collection: string,
  { name, nodes, needed }: ChangedPart,
  options: Confirming & { readonly signal: AbortSignal },
): Promise<void> {
  return new Promise((resolve, reject) => {
    let confirmed = 0;
    const failures: string[] = [];
    const failed = (node: string) => (error: unknown) => {
      failures.push(`${node}: ${error instanceof Error ? error.message : String(error)}`);
      if (failures.length === nodes.length - needed + 1) {
        reject(new ServiceError('write_unconfirmed', { collection, confirmed, needed, reason: failures.join('; ') }));
      }
    };
    for (const node of nodes) {
      confirmPatiently(node, { collection, name }, options).then(() => {
        confirmed += 1;
        if (confirmed === needed) resolve();
      }, failed(node));
    }
  });
}

/** A node that is being started again may still confirm in time. */
async function confirmPatiently(
  node: string,
  { collection, name }: { readonly collection: string; readonly name: string },
  options: Confirming & { readonly signal: AbortSignal },
): Promise<void> {
  const { confirm, atLeast, signal, clock } = options;
  let failure: unknown;
  while (!signal.aborted) {
    try {
      await confirm(node, name, { atLeast, signal });
      return;
    } catch (error) {
      // That time is over says less than what went wrong before.
      failure = signal.aborted ? (failure ?? error) : error;
      if (!(await isPlaced(collection, name, options))) break;
    }
    if (!signal.aborted) await pause(clock, RETRY_PAUSE_MS);
  }
  throw failure ?? signal.reason;
}
