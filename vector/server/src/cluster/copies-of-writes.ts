// SPDX-License-Identifier: Apache-2.0
/** The copies of what a write changes, and whether these have it, as the nodes say that hold them. */
import { type CatalogView, type EngineReads, placedShards } from '@sextant/vector-collection';
import type { ConfirmedWritesOptions, Replicator } from '@sextant/vector-replication';
import type { KnownPeer } from './peers.ts';
import { PeerFailure } from './shards/peer-client.ts';
import type { PeerLane } from './shards/shard-lane.ts';

export type CopiesOptions = {
  readonly node: string;
  readonly view: CatalogView;
  readonly base: EngineReads;
  readonly peers: PeerLane;
  /** This node and the others, as the log named them last. */
  readonly met: () => readonly KnownPeer[];
  /** Asks the log who is there now. */
  readonly meet: () => Promise<void>;
  readonly replicator: Pick<Replicator, 'reached' | 'status'>;
};

/** A read that takes nothing, and is refused where there is nothing to read. */
const NO_POINTS = { ids: [] };

export function copiesOfWrites({
  node: own,
  view,
  base,
  peers,
  met,
  meet,
  replicator,
}: CopiesOptions): Pick<ConfirmedWritesOptions, 'wanted' | 'isAlive' | 'meet' | 'confirm' | 'acknowledged'> {
  return {
    wanted: async (collection) => {
      const served = view.servedView(collection);
      if (served === undefined) return undefined;
      const { name, config } = served;
      const factor = config.params.write_consistency_factor;
      // One that has just joined counts, too.
      if (met().length < factor) await meet();
      if (config.placement !== undefined) return { factor, parts: placedShards(name, config) };
      return { factor, parts: [{ name, nodes: met().map(({ node }) => node) }] };
    },
    meet,
    isAlive: (node) => node === own || met().some((peer) => peer.node === node && !peer.isDead),
    confirm: async (node, part, { atLeast, signal }) => {
      if (node === own) {
        await replicator.reached(atLeast);
        return base.retrieve(part, NO_POINTS);
      }
      const [peer] = peers.known([node]);
      if (peer === undefined) throw new PeerFailure('the cluster does not know it');
      return peers.ask(peer, { read: 'retrieve', shard: part, request: NO_POINTS, atLeast }, signal);
    },
    acknowledged: () => replicator.status.acknowledged,
  };
}
