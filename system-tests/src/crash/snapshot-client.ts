// SPDX-License-Identifier: Apache-2.0
/**
 * A collection whose points are all of one generation, as each request writes all of them, and its snapshots. A snapshot must be of one generation too:
 * one between what was acknowledged before it was asked for and what was on its way when it was there.
 */
import { ok, strictEqual } from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { type CollectionApi, scrollAll, type VectorApi } from '../vector-api.ts';
import { PointLedger } from './ledger.ts';
import { PLAIN } from './point-shape.ts';

export const KEPT = 'kept';
export const RESTORED = 'restored';
const POINTS = 40;
const SNAPSHOTS_MAX = 3;

type Generations = { readonly oldest: number; readonly newest: number };

/** Writes all points again and again. */
export class GenerationClient {
  readonly ledger = new PointLedger(PLAIN);
  /** What is acknowledged, and what is on its way. */
  #oldest = -1;
  #newest = -1;

  get oldest(): number {
    return this.#oldest;
  }

  get newest(): number {
    return this.#newest;
  }

  async step(api: CollectionApi): Promise<void> {
    const generation = ++this.#newest;
    const state = { vectorVersion: generation, payload: { generation } };
    const ids = Array.from({ length: POINTS }, (_, id) => id);
    await this.ledger.write(new Map(ids.map((id) => [id, state])), () =>
      api.upsert(ids.map((id) => ({ id, vector: PLAIN.vector(id, generation), payload: state.payload }))),
    );
    this.#oldest = generation;
  }

  /** After its ledger was compared. */
  reconcile(): void {
    const [, state] = this.ledger.points[0] ?? [];
    this.#oldest = state?.vectorVersion ?? -1;
  }
}

export class SnapshotClient {
  readonly #generations: GenerationClient;
  readonly #snapshotsFolder: string;
  #kept = new Map<string, Generations>();
  #creating: Generations | undefined;
  #deleting: string | undefined;
  /** Of which snapshots `RESTORED` may be; undefined is none. */
  #restored: (Generations | undefined)[] = [undefined];

  constructor({ generations, directory }: { readonly generations: GenerationClient; readonly directory: string }) {
    this.#generations = generations;
    this.#snapshotsFolder = `${directory}/snapshots/${KEPT}`;
  }

  /** Writes a snapshot, or deletes the oldest where there are enough. */
  async step(vectors: VectorApi): Promise<void> {
    const api = vectors.collection(KEPT);
    const [oldest] = this.#kept.keys();
    if (oldest === undefined || this.#kept.size < SNAPSHOTS_MAX) {
      this.#creating = { oldest: this.#generations.oldest, newest: Number.POSITIVE_INFINITY };
      const { name } = await api.createSnapshot();
      this.#kept.set(name, { oldest: this.#creating.oldest, newest: this.#generations.newest });
      this.#creating = undefined;
    } else {
      this.#deleting = oldest;
      await api.deleteSnapshot(oldest);
      this.#kept.delete(oldest);
      this.#deleting = undefined;
    }
  }

  /** Makes another collection of the newest snapshot, in place of what it held. */
  async recover(vectors: VectorApi): Promise<void> {
    const [newest] = [...this.#kept].toReversed();
    ok(newest !== undefined, 'there is a snapshot');
    const [name, generations] = newest;
    this.#restored.push(generations);
    await vectors.collection(RESTORED).recover(pathToFileURL(`${this.#snapshotsFolder}/${name}`).href);
    this.#restored = [generations];
  }

  async reconcile(vectors: VectorApi): Promise<void> {
    const listed = (await vectors.collection(KEPT).snapshots()).map(({ name }) => name);
    for (const name of this.#kept.keys()) ok(listed.includes(name) || name === this.#deleting, `snapshot ${name} is lost`);
    const others = listed.filter((name) => !this.#kept.has(name));
    ok(others.length <= (this.#creating === undefined ? 0 : 1), `snapshots that nobody has asked for: ${others.join(', ')}`);
    const { newest } = this.#generations;
    this.#kept = new Map(
      // The names end in the time.
      listed.toSorted().map((name) => {
        const known = this.#kept.get(name) ?? this.#creating;
        return [name, { oldest: known?.oldest ?? 0, newest: Math.min(known?.newest ?? newest, newest) }];
      }),
    );
    this.#creating = undefined;
    this.#deleting = undefined;
    await this.#reconcileRestored(vectors.collection(RESTORED));
  }

  async #reconcileRestored(api: CollectionApi): Promise<void> {
    if (!(await api.exists())) {
      ok(this.#restored.includes(undefined), 'the restored collection is lost');
      this.#restored = [undefined];
      return;
    }
    const points = await scrollAll(api);
    const generation = Number(points[0]?.payload?.generation ?? -1);
    const isAllowed = this.#restored.some((range) => range !== undefined && range.oldest <= generation && generation <= range.newest);
    ok(isAllowed, `generation ${generation} was restored; allowed are ${JSON.stringify(this.#restored)}`);
    const expected = new PointLedger(PLAIN);
    if (generation >= 0) {
      const state = { vectorVersion: generation, payload: { generation } };
      await expected.write(new Map(Array.from({ length: POINTS }, (_, id) => [id, state])), async () => undefined);
    }
    expected.reconcile(points);
    strictEqual(await api.count(), points.length, 'count and scroll of the restored collection');
    this.#restored = [{ oldest: generation, newest: generation }];
  }
}
