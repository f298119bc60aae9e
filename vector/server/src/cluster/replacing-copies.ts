// SPDX-License-Identifier: Apache-2.0
/**
 * Looks every two seconds whether nodes are gone that shards are placed on, and has other nodes get copies in their place, one after the other. What such a node
 * was recovering is given up.
 */
import { randomUUID } from 'node:crypto';
import type { Clock } from '@sextant/foundation-std';
import type { Catalog, CatalogOperation, CatalogView, Log, Resharding } from '@sextant/vector-collection';
import type { Member } from '@sextant/vector-log';
import { GoneNodes, isDecider, type LostOperation, lostCopies, lostRecovery, nextReplacement } from '@sextant/vector-replication';
import type { ClusterGauges } from './cluster-gauges.ts';
import { isDead } from './peers.ts';
import { nodesIn, placedCollection } from './placed-shards.ts';

export type ReplacingOptions = {
  readonly node: string;
  /** How long a node has to be silent; undefined where only nodes count that were removed. */
  readonly afterMs: number | undefined;
  /** Whether nodes can ask each other for copies; recoveries are given up in any case. */
  readonly canCopy: boolean;
  readonly view: CatalogView;
  readonly catalog: Pick<Catalog, 'recoveries'>;
  readonly gauges: Pick<ClusterGauges, 'writeLost' | 'writeIncomplete' | 'noteReplaced'>;
  /** Puts an operation into the log. */
  readonly submit: (operation: CatalogOperation) => Promise<unknown>;
  readonly clock: Clock;
  readonly log: Log;
};

/** @returns what hears of the members whenever this node has announced itself */
export function replacingCopies({
  node,
  afterMs,
  canCopy,
  view,
  catalog,
  gauges,
  submit,
  clock,
  log,
}: ReplacingOptions): (members: readonly Member[]) => void {
  const nodes = new GoneNodes({ afterMs, clock });
  let isWaiting = false;

  return (members) => {
    const collections = canCopy ? view.names().flatMap((name) => placedCollection(view, name) ?? []) : [];
    const recoveries = catalog.recoveries.unfinished();
    const placed = [...collections.flatMap(nodesIn), ...recoveries.flatMap((recovery) => recovery.node ?? [])];
    const met = members.map((member) => ({ ...member, isDead: member.node !== node && isDead(member) }));
    const gone = nodes.look(met, placed);
    gauges.writeLost(lostCopies(collections, gone));
    gauges.writeIncomplete(collections.reduce((sum, { resharding }) => sum + incompleteCopies(resharding), 0));
    if (isWaiting || !isDecider(node, met)) return;
    const operation = lostRecovery(recoveries, gone) ?? nextReplacement({ collections, members: met, gone, newId: randomUUID });
    if (operation === undefined) return;
    isWaiting = true;
    void append(operation).finally(() => {
      isWaiting = false;
    });
  };

  async function append(operation: LostOperation): Promise<void> {
    const { collection } = operation;
    try {
      await submit(operation);
      if (operation.kind === 'abort_resharding') {
        log.warn(
          { collection },
          'a node that held a new shard is lost: resharding is aborted, and the shards of the collection stay as they were',
        );
      }
      if (operation.kind === 'end_recovery')
        log.warn({ collection }, 'a node that was recovering the collection is lost: the collection is removed');
      if (operation.kind !== 'begin_transfer') return;
      gauges.noteReplaced();
      log.warn({ collection, ...operation.transfer }, 'a node is lost: its shard is copied to another node');
    } catch (error) {
      // Somebody else was first, or the log cannot be reached; the next look begins from what is there then.
      log.info({ collection, err: error }, 'a copy of a shard could not be replaced yet');
    }
  }
}

function incompleteCopies(resharding: Resharding | undefined): number {
  return (resharding?.shards ?? []).reduce((sum, { nodes, ready }) => sum + nodes.length - ready.length, 0);
}
