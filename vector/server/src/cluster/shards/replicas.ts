// SPDX-License-Identifier: Apache-2.0
/**
 * Asks whichever node has a shard. One of its replicas is asked first; where its answer takes longer than 95 of 100 answers did, another is asked as well and
 * the first answer counts (Dean, Barroso, "The tail at scale", CACM 2013); no node is asked more than one question in twenty more so early. A replica that cannot be asked is passed over for the next; without any left the
 * read fails. A replica that has given the shard up says how far it is with the log; the placement of that position says who has it.
 */
import { ServiceError } from '@sextant/contracts-vector';
import type { Clock, Random } from '@sextant/foundation-std';
import { collectionOfShard, type ShardReads } from '@sextant/vector-collection';
import type { KnownPeer } from '../peers.ts';
import { AnswerTimes } from './answer-times.ts';
import { HedgeBudget } from './hedge-budget.ts';
import { metNodes, soonTrue } from './met-nodes.ts';
import { PeerFailure, ShardAbsentError } from './peer-client.ts';
import { questioning, type ShardQuestion } from './question.ts';
import { isAbsent } from './shard-server.ts';

export type ReplicasOptions = {
  /** What this node is called. */
  readonly node: string;
  /** What it has itself. */
  readonly own: ShardReads;
  /** Whether it has a shard. */
  readonly has: (shard: string) => boolean;
  /** Resolves when this node knows everything up to a position of the log. */
  readonly reached: (position: number) => Promise<void>;
  readonly peers: () => ReadonlyMap<string, KnownPeer>;
  readonly ask: (address: string, question: ShardQuestion, signal: AbortSignal) => Promise<unknown>;
  /** The position of the log that answers of others may not be older than: what this node has applied or acknowledged. */
  readonly atLeast: () => number;
  readonly clock: Clock;
  readonly random: Random;
};

/** Longer than any read that is allowed to take its time. */
const ANSWER_MS = 60_000;
/** Beyond the budget another replica is asked when this one seems to have stopped. */
const STOPPED_MS = 500;

/** Shards move seldom, and one that a read runs after for so long does not stand still. */
const MOVES_MAX = 5;

/** Made before, since making one costs more than a small search. */
const NOT_NEEDED = new PeerFailure('its answer was not needed any more');
const LATE = new PeerFailure('it did not answer in time');

type Attempt = { readonly node: string; readonly failure: string };

export class Replicas {
  readonly #options: ReplicasOptions;
  readonly #times = new AnswerTimes();
  readonly #hedges = new HedgeBudget();
  #orderNow: readonly KnownPeer[] | undefined;

  constructor(options: ReplicasOptions) {
    this.#options = options;
  }

  /** @param holders the nodes that hold the shard, as far as this node knows by now */
  readsOf(holders: () => readonly string[]): ShardReads {
    return questioning((read, shard, request) => this.#askWhereItIs(holders, { read, shard, request, atLeast: this.#options.atLeast() }));
  }

  async #askWhereItIs(holders: () => readonly string[], question: ShardQuestion): Promise<unknown> {
    const { node, own, has, reached } = this.#options;
    const { read, shard, request } = question;
    for (let moves = 0; ; moves++) {
      const nodes = holders();
      if (nodes.length === 0) throw new ServiceError('collection_not_found', { collection: collectionOfShard(shard) });
      const isHere = nodes.includes(node) && has(shard);
      try {
        // The request is one that this read takes: `questioning` has it from its caller.
        if (isHere) return await (own[read] as (shard: string, request: unknown) => Promise<unknown>)(shard, request);
        return await this.#ask(nodes, question);
      } catch (error) {
        if (isHere ? !isAbsent(error, shard) : !(error instanceof ShardAbsentError)) throw error;
        const hasMoved = () => holders().join() !== nodes.join() || (isHere && !has(shard));
        if (error instanceof ShardAbsentError) await reached(error.position);
        // A node gives a shard up a moment before it counts the operation as done.
        if (moves < MOVES_MAX && (await soonTrue(hasMoved, this.#options.clock))) continue;
        if (isHere) throw error;
        throw unavailable(shard, [{ node: nodes.join(', '), failure: 'the shard does not exist there' }]);
      }
    }
  }

  async #ask(nodes: readonly string[], question: ShardQuestion): Promise<unknown> {
    const known = this.#inTurn(nodes);
    // What is asked in one moment goes together, so that nothing is waited for where nothing has to be.
    const candidates = known.length > 0 ? known : await metNodes(() => this.#inTurn(nodes), this.#options.clock);
    const failures: Attempt[] = nodes
      .filter((node) => !candidates.some((candidate) => candidate.node === node))
      .map((node) => ({
        node,
        failure: node === this.#options.node ? 'the shard is still being copied there' : 'the cluster does not know it',
      }));
    const running = new Set<AbortController>();
    try {
      return await this.#firstAnswer(candidates, question, { running, failures });
    } finally {
      for (const attempt of running) attempt.abort(NOT_NEEDED);
    }
  }

  /** Those that are alive first. */
  #inTurn(nodes: readonly string[]): readonly KnownPeer[] {
    const known = this.#order().filter(({ node }) => nodes.includes(node));
    return [...known.filter(({ isDead }) => !isDead), ...known.filter(({ isDead }) => isDead)];
  }

  /** Each of the other nodes is as likely as the rest to be the one that is asked; the same one for all that is asked in this moment, so that it goes together. */
  #order(): readonly KnownPeer[] {
    if (this.#orderNow === undefined) {
      const { node: own, peers, random } = this.#options;
      this.#orderNow = shuffled(
        [...peers().values()].filter(({ node }) => node !== own),
        random,
      );
      queueMicrotask(() => {
        this.#orderNow = undefined;
      });
    }
    return this.#orderNow;
  }

  #firstAnswer(
    candidates: readonly KnownPeer[],
    question: ShardQuestion,
    { running, failures }: { readonly running: Set<AbortController>; readonly failures: Attempt[] },
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      let absentAt: number | undefined;
      let next = 0;
      let isOver = false;
      const askNext = (): void => {
        if (isOver) return;
        const peer = candidates[next];
        next += 1;
        if (peer === undefined) {
          if (running.size === 0) reject(absentAt === undefined ? unavailable(question.shard, failures) : new ShardAbsentError(absentAt));
          return;
        }
        const other = candidates[next];
        const hedge = other === undefined ? undefined : this.#whenLate(other.node, askNext);
        this.#attempt(peer, question, running).then(
          (result) => {
            hedge?.();
            isOver = true;
            resolve(result);
          },
          (error: unknown) => {
            hedge?.();
            if (error instanceof ServiceError) {
              isOver = true;
              reject(error);
              return;
            }
            if (error instanceof ShardAbsentError) absentAt = Math.max(absentAt ?? 0, error.position);
            failures.push({ node: peer.node, failure: error instanceof Error ? error.message : String(error) });
            askNext();
          },
        );
      };
      const [first] = candidates;
      if (first !== undefined) this.#hedges.earn(first.node);
      askNext();
    });
  }

  /**
   * Asks another node once the answer is late.
   * @returns what takes it back
   */
  #whenLate(other: string, askNext: () => void): () => void {
    const { clock } = this.#options;
    const { late } = this.#times;
    let timer = clock.after(late, () => {
      if (this.#hedges.spend(other)) askNext();
      else timer = clock.after(Math.max(STOPPED_MS, late), askNext);
    });
    return () => timer.cancel();
  }

  async #attempt(peer: KnownPeer, question: ShardQuestion, running: Set<AbortController>): Promise<unknown> {
    const { ask, clock } = this.#options;
    const startedMs = clock.monotonicMs();
    const attempt = new AbortController();
    running.add(attempt);
    const timer = clock.after(ANSWER_MS, () => attempt.abort(LATE));
    try {
      const result = await ask(peer.address, question, attempt.signal);
      this.#times.note(clock.monotonicMs() - startedMs);
      return result;
    } catch (error) {
      // It would have taken longer still: without it late answers would not count, and what is late be earlier and earlier.
      if (attempt.signal.reason === NOT_NEEDED) this.#times.note(clock.monotonicMs() - startedMs);
      if (error instanceof ServiceError || error instanceof PeerFailure || error instanceof ShardAbsentError) throw error;
      throw new PeerFailure('its answer cannot be read', { cause: error });
    } finally {
      timer.cancel();
      running.delete(attempt);
    }
  }
}

/** Fisher and Yates. */
function shuffled<Item>(items: Item[], random: Random): readonly Item[] {
  for (let last = items.length - 1; last > 0; last--) {
    const at = random.integer(last + 1);
    const moved = items[last];
    const other = items[at];
    // Both places are in the list.
    if (moved !== undefined && other !== undefined) [items[last], items[at]] = [other, moved];
  }
  return items;
}

function unavailable(shard: string, failures: readonly Attempt[]): ServiceError {
  const reason = failures.map(({ node, failure }) => `${node}: ${failure}`).join('; ');
  return new ServiceError('shard_unavailable', { collection: collectionOfShard(shard), reason });
}
