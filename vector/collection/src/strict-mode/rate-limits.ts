// SPDX-License-Identifier: Apache-2.0
/**
 * How many reads and writes of a collection a minute takes, counted in memory that all threads share. Each rate is a bucket of tokens that holds a
 * minute's worth and is refilled steadily, kept as one number: the time at which it would be full again (the generic cell rate algorithm,
 * ITU-T I.371, annex A). A compare-and-exchange takes tokens, so no thread waits for another.
 */
import { ServiceError } from '@sextant/contracts-vector';
import type { Clock } from '@sextant/foundation-std';
import { conditionsOf } from '../filter/conditions.ts';
import type { Demand, DemandPart } from './demand.ts';

const MINUTE_SECONDS = 60;
const MINUTE_MICROSECONDS = 60_000_000n;
const WORDS = { read: 0, write: 1 } as const;
const NAMES = { read: 'Read', write: 'Write' } as const;

export class RateLimits {
  readonly #fullAt: BigInt64Array;
  readonly #clock: Clock;

  /** @param shared a word for reads and one for writes, in memory that all threads share */
  constructor(shared: BigInt64Array, clock: Clock) {
    this.#fullAt = shared;
    this.#clock = clock;
  }

  /** Takes `cost` of `perMinute` tokens; throws `rate_limit_exceeded`, and takes none, where there are not so many. */
  take(kind: 'read' | 'write', cost: number, perMinute: number): void {
    if (cost > perMinute) {
      const reason = `${NAMES[kind]} rate limit exceeded: Operation requires ${cost} tokens but only ${perMinute}.0 fit into a minute; ask for less at a time`;
      throw new ServiceError('rate_limit_exceeded', { reason, seconds: MINUTE_SECONDS });
    }
    const each = MINUTE_MICROSECONDS / BigInt(perMinute);
    for (;;) {
      const now = BigInt(Math.round(this.#clock.monotonicMs() * 1000));
      const empty = now + MINUTE_MICROSECONDS;
      const seen = Atomics.load(this.#fullAt, WORDS[kind]);
      const fullAt = seen < now ? now : seen;
      const missing = fullAt + BigInt(cost) * each - empty;
      if (missing > 0n) throw refusal(kind, cost, { available: Number(empty - fullAt) / Number(each), missing });
      if (Atomics.compareExchange(this.#fullAt, WORDS[kind], seen, fullAt + BigInt(cost) * each) === seen) return;
    }
  }
}

function refusal(kind: 'read' | 'write', cost: number, { available, missing }: { available: number; missing: bigint }): ServiceError {
  const seconds = Math.max(1, Math.ceil(Number(missing) / 1e6));
  const tokens = Math.floor(available * 10) / 10;
  const reason = `${NAMES[kind]} rate limit exceeded: Operation requires ${cost} tokens but only ${tokens.toFixed(1)} were available. Retry after ${seconds}s`;
  return new ServiceError('rate_limit_exceeded', { reason, seconds });
}

/**
 * How many tokens a request takes from its rate. Points and conditions are charged as the published service does
 * (https://github.com/qdrant/qdrant, `lib/collection/src/operations/verification/operation_rate_cost.rs`): a read takes a token for each point by
 * id or each vector of its query, a write one for each point that it may change, and both one more for each condition of their filters.
 * @param matching the number of points that a part's filter matches; asked of writes by filter alone
 */
export function tokensOf({ parts }: Demand, matching: (part: DemandPart) => number): number {
  return parts.reduce((sum, part) => sum + tokensOfPart(part, matching), 0);
}

function tokensOfPart(part: DemandPart, matching: (part: DemandPart) => number): number {
  const { charge, filter, filtersAround = [] } = part;
  const points = charge === 'matching points' ? matching(part) : charge;
  // What is only fused from prefetches evaluates no filter itself.
  if (points === 0 && charge !== 'matching points') return 0;
  const filters = filter == null ? filtersAround : [filter, ...filtersAround];
  return points + filters.reduce((sum, each) => sum + conditionsOf(each).reduce((count) => count + 1, 0), 0);
}
