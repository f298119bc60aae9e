// SPDX-License-Identifier: Apache-2.0
/**
 * Asks whichever node has a shard. One of its replicas is asked first; where its answer takes longer than 95 of 100 answers did, another is asked as well and
 * the first answer counts (Dean, Barroso, "The tail at scale", CACM 2013). A replica that cannot be asked is passed over for the next; without any left the
 * read fails. A replica that has given the shard up says how far it is with the log; the placement of that position says who has it.
 */
import { ServiceError } from '@sextant/contracts-vector';
import { type Clock, pause, type Random } from '@sextant/foundation-std';
import { collectionOfShard, type ShardReads } from '@sextant/vector-collection';
import type { KnownPeer } from '../peers.ts';
import { AnswerTimes } from './answer-times.ts';
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
/** Nodes announce themselves every two seconds. */
const MEETING_MS = 5000;
const MEETING_PAUSE_MS = 50;

/** Shards move seldom, and one that a read runs after for so long does not stand still. */
const MOVES_MAX = 5;

type Attempt = { readonly node: string; readonly failure: string };

export class Replicas {
  readonly #options: ReplicasOptions;
  readonly #times = new AnswerTimes();

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
        if (moves < MOVES_MAX && (await this.#until(hasMoved))) continue;
        if (isHere) throw error;
        throw unavailable(shard, [{ node: nodes.join(', '), failure: 'the shard is not there' }]);
      }
    }
  }

  /** A node gives a shard up a moment before it counts the operation as done. */
  async #until(fact: () => boolean): Promise<boolean> {
    const { clock } = this.#options;
    const begunMs = clock.monotonicMs();
    while (!fact()) {
      if (clock.monotonicMs() - begunMs >= MEETING_MS) return false;
      await pause(clock, MEETING_PAUSE_MS);
    }
    return true;
  }

  async #ask(nodes: readonly string[], question: ShardQuestion): Promise<unknown> {
    const known = this.#inTurn(nodes);
    const candidates = known.length > 0 ? known : await this.#met(nodes);
    const ended = new AbortController();
    const failures: Attempt[] = nodes
      .filter((node) => !candidates.some((candidate) => candidate.node === node))
      .map((node) => ({ node, failure: node === this.#options.node ? 'the shard is on its way there' : 'the cluster does not know it' }));
    try {
      return await this.#firstAnswer(candidates, question, { ended: ended.signal, failures });
    } finally {
      ended.abort();
    }
  }

  /** A node that has just joined is in placements a moment before this thread hears of it. */
  async #met(nodes: readonly string[]): Promise<readonly KnownPeer[]> {
    await this.#until(() => this.#inTurn(nodes).length > 0);
    return this.#inTurn(nodes);
  }

  /** Those that are alive first, each as likely as the others to be the one that is asked. */
  #inTurn(nodes: readonly string[]): readonly KnownPeer[] {
    const { node: own, peers, random } = this.#options;
    const known = nodes.flatMap((node) => (node === own ? [] : (peers().get(node) ?? [])));
    const from = known.length === 0 ? 0 : random.integer(known.length);
    const rotated = [...known.slice(from), ...known.slice(0, from)];
    return [...rotated.filter(({ isDead }) => !isDead), ...rotated.filter(({ isDead }) => isDead)];
  }

  #firstAnswer(
    candidates: readonly KnownPeer[],
    question: ShardQuestion,
    { ended, failures }: { readonly ended: AbortSignal; readonly failures: Attempt[] },
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      let absentAt: number | undefined;
      let next = 0;
      let running = 0;
      const askNext = (): void => {
        if (ended.aborted) return;
        const peer = candidates[next];
        next += 1;
        if (peer === undefined) {
          if (running === 0) reject(absentAt === undefined ? unavailable(question.shard, failures) : new ShardAbsentError(absentAt));
          return;
        }
        running += 1;
        let isAnswered = false;
        this.#attempt(peer, question, ended).then(
          (result) => {
            isAnswered = true;
            resolve(result);
          },
          (error: unknown) => {
            isAnswered = true;
            running -= 1;
            if (error instanceof ServiceError) reject(error);
            else {
              if (error instanceof ShardAbsentError) absentAt = Math.max(absentAt ?? 0, error.position);
              failures.push({ node: peer.node, failure: error instanceof Error ? error.message : String(error) });
              askNext();
            }
          },
        );
        if (next >= candidates.length) return;
        void pause(this.#options.clock, this.#times.late).then(() => {
          if (!isAnswered) askNext();
        });
      };
      askNext();
    });
  }

  async #attempt(peer: KnownPeer, question: ShardQuestion, ended: AbortSignal): Promise<unknown> {
    const { ask, clock } = this.#options;
    const startedMs = clock.monotonicMs();
    const late = new AbortController();
    const timer = clock.after(ANSWER_MS, () => late.abort());
    try {
      const result = await ask(peer.address, question, AbortSignal.any([ended, late.signal]));
      this.#times.note(clock.monotonicMs() - startedMs);
      return result;
    } catch (error) {
      if (error instanceof ServiceError || error instanceof PeerFailure || error instanceof ShardAbsentError) throw error;
      throw new PeerFailure('its answer cannot be read', { cause: error });
    } finally {
      timer.cancel();
    }
  }
}

function unavailable(shard: string, failures: readonly Attempt[]): ServiceError {
  const reason = failures.map(({ node, failure }) => `${node}: ${failure}`).join('; ');
  return new ServiceError('shard_unavailable', { collection: collectionOfShard(shard), reason });
}
