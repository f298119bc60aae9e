// SPDX-License-Identifier: Apache-2.0
/** Copies of shards between the disks of simulated nodes. */
import { type Clock, pause, type Random } from '@sextant/foundation-std';
import { type ReceivedCollection, type ShardPlace, shardOfPoint } from '@sextant/vector-collection';
import type { ReceiveShard } from '../incoming-shard.ts';
import type { Replicator } from '../replicator.ts';
import type { SimulatedCatalog, SimulatedDisk, SimulatedPart } from './simulated-node.ts';

/** A node that can be asked for copies, itself included. */
export type SimulatedPeer = { readonly disk: SimulatedDisk; readonly replicator: Replicator };

export type SimulatedCopiesOptions = {
  readonly disk: SimulatedDisk;
  readonly simulated: SimulatedCatalog;
  readonly peerOf: (name: string) => SimulatedPeer | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly isAlive: () => boolean;
  readonly takesOldCopies: boolean;
};

const COPY_MS = 120;
const LOOK_MS = 10;

export function simulatedCopies(options: SimulatedCopiesOptions): ReceiveShard {
  const { clock, random, isAlive, peerOf, takesOldCopies } = options;
  return async ({ wanted: { shard, holders, parent }, atLeast, signal }) => {
    const holder = holders[random.integer(Math.max(1, holders.length))] ?? '';
    for (;;) {
      await takeTime(LOOK_MS);
      signal.throwIfAborted();
      const peer = peerOf(holder);
      if (peer === undefined) throw new Error('the node that has it does not answer');
      const part = peer.disk.parts.get(parent?.shard ?? shard);
      if (part === undefined) throw new Error('the node that should have it does not');
      if (!takesOldCopies && peer.replicator.status.applied < atLeast) continue;
      const copy = { ...part, points: new Map(part.points) };
      await takeTime(COPY_MS);
      signal.throwIfAborted();
      return received(shard, copy);
    }
  };

  /** What the real one does with a store and its graphs. */
  function received(shard: string, copy: SimulatedPart): ReceivedCollection {
    const { disk, simulated } = options;
    simulated.incoming.set(shard, copy);
    const writer = {
      followed: {
        get applied() {
          return copy.applied;
        },
        goOn: () => simulated.goOn(shard),
      },
      divide: async ({ index, count }: ShardPlace) => {
        await takeTime(COPY_MS);
        for (const id of copy.points.keys()) if (shardOfPoint(id, count) !== index) copy.points.delete(id);
      },
    };
    return {
      // The rest of a writer is for other callers than those that take a shard in.
      writer: writer as unknown as ReceivedCollection['writer'],
      serve: async () => {
        await takeTime(LOOK_MS);
        simulated.incoming.delete(shard);
        disk.parts.set(shard, copy);
      },
      discard: async () => void simulated.incoming.delete(shard),
    };
  }

  /** A process that was killed meanwhile does nothing more. */
  async function takeTime(ms: number): Promise<void> {
    await pause(clock, random.integer(ms));
    if (!isAlive()) await new Promise(() => undefined);
  }
}
