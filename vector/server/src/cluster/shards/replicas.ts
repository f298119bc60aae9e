// SPDX-License-Identifier: Apache-2.0
/**
 * Asks whichever node has a shard. One of its replicas is asked first; where its answer takes longer than 95 of 100 answers did, another is asked as well and
 * the first answer counts (Dean, Barroso, "The tail at scale", CACM 2013). A replica that cannot be asked is passed over for the next; without any left the
 * read fails.
 */
import { ServiceError } from '@sextant/contracts-vector';
import { type Clock, pause, type Random } from '@sextant/foundation-std';
import { collectionOfShard, type ShardReads } from '@sextant/vector-collection';
import type { KnownPeer } from '../peers.ts';
import { AnswerTimes } from './answer-times.ts';
import { PeerFailure } from './peer-client.ts';
import { questioning, type ShardQuestion } from './question.ts';

export type ReplicasOptions = {
  /** What this node is called. */
  readonly node: string;
  /** What it has itself. */
  readonly own: ShardReads;
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

type Attempt = { readonly node: string; readonly failure: string };

export class Replicas {
  readonly #options: ReplicasOptions;
  readonly #times = new AnswerTimes();

  constructor(options: ReplicasOptions) {
    this.#options = options;
  }

  /** @param nodes those that hold the shard */
  readsOf(nodes: readonly string[]): ShardReads {
    const { node, own } = this.#options;
    if (nodes.includes(node)) return own;
    return questioning((read, shard, request) => this.#ask(nodes, { read, shard, request, atLeast: this.#options.atLeast() }));
  }

  async #ask(nodes: readonly string[], question: ShardQuestion): Promise<unknown> {
    const known = this.#inTurn(nodes);
    const candidates = known.length > 0 ? known : await this.#met(nodes);
    const ended = new AbortController();
    const failures: Attempt[] = nodes
      .filter((node) => !candidates.some((candidate) => candidate.node === node))
      .map((node) => ({ node, failure: 'the cluster does not know it' }));
    try {
      return await this.#firstAnswer(candidates, question, { ended: ended.signal, failures });
    } finally {
      ended.abort();
    }
  }

  /** A node that has just joined is in placements a moment before this thread hears of it. */
  async #met(nodes: readonly string[]): Promise<readonly KnownPeer[]> {
    const { clock } = this.#options;
    const begunMs = clock.monotonicMs();
    for (;;) {
      const candidates = this.#inTurn(nodes);
      if (candidates.length > 0 || clock.monotonicMs() - begunMs >= MEETING_MS) return candidates;
      await pause(clock, MEETING_PAUSE_MS);
    }
  }

  /** Those that are alive first, each as likely as the others to be the one that is asked. */
  #inTurn(nodes: readonly string[]): readonly KnownPeer[] {
    const { peers, random } = this.#options;
    const known = nodes.flatMap((node) => peers().get(node) ?? []);
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
      let next = 0;
      let running = 0;
      const askNext = (): void => {
        if (ended.aborted) return;
        const peer = candidates[next];
        next += 1;
        if (peer === undefined) {
          if (running === 0) reject(unavailable(question.shard, failures));
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
      if (error instanceof ServiceError || error instanceof PeerFailure) throw error;
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
