// SPDX-License-Identifier: Apache-2.0
/** A client that writes points of its own ids, one request after the other, and keeps the ledger of them. */
import { deepStrictEqual, ok } from 'node:assert/strict';
import type { Filter, PointInput } from '@sextant/contracts-vector';
import type { Random } from '@sextant/foundation-std';
import type { CollectionApi } from '../vector-api.ts';
import type { PointLedger, PointState } from './ledger.ts';

export const GROUPS = 8;
const IDS_PER_OWNER = 120;
const BATCH_MAX = 20;
const FILL_BATCH = 250;

export type PointClientOptions = {
  readonly owner: number;
  readonly ledger: PointLedger;
  readonly random: Random;
  /** How many ids it has. */
  readonly idCount?: number;
};

/** On what an upsert depends, and whether it writes a point that is in this state before. */
type Condition = { readonly request: { readonly [name: string]: unknown }; readonly allows: (state: PointState | null) => boolean };

const ALWAYS: Condition = { request: {}, allows: () => true };

export class PointClient {
  readonly #owner: number;
  readonly #ledger: PointLedger;
  readonly #random: Random;
  readonly #idCount: number;
  #version = 0;

  constructor({ owner, ledger, random, idCount = IDS_PER_OWNER }: PointClientOptions) {
    this.#owner = owner;
    this.#ledger = ledger;
    this.#random = random;
    this.#idCount = idCount;
  }

  /** Writes a point for each of its ids. */
  async fill(api: CollectionApi): Promise<void> {
    for (let first = 0; first < this.#idCount; first += FILL_BATCH)
      await this.#upsert(api, this.#ownIds().slice(first, first + FILL_BATCH), ALWAYS);
  }

  /** One request of any kind; more often an upsert, so that there is something to change. */
  async step(api: CollectionApi): Promise<void> {
    const upsert = () => this.#upsert(api, this.#chooseIds(), ALWAYS);
    const steps = [
      upsert,
      upsert,
      upsert,
      () => this.#upsert(api, this.#chooseIds(), this.#condition()),
      () => this.#delete(api),
      () => this.#deleteGroup(api),
      () => this.#annotate(api),
      () => this.#overwrite(api),
      () => this.#move(api),
      () => this.#readBack(api),
    ];
    await steps[this.#random.integer(steps.length)]?.();
  }

  async #upsert(api: CollectionApi, ids: readonly number[], { request, allows }: Condition): Promise<void> {
    const points = ids.map((id) => ({ id, state: this.#newState() }));
    const changes = new Map(points.flatMap(({ id, state }) => (allows(this.#ledger.acknowledged(id)) ? [[id, state]] : [])));
    const inputs = points.map(
      ({ id, state }): PointInput => ({ id, vector: this.#ledger.shape.vector(id, state.vectorVersion), payload: state.payload }),
    );
    await this.#ledger.write(changes, () => api.upsert(inputs, request));
  }

  /** Only new points, only those that are there, or of those that are there only some. */
  #condition(): Condition {
    const group = this.#random.integer(GROUPS);
    const conditions: readonly Condition[] = [
      { request: { update_mode: 'insert_only' }, allows: (state) => state === null },
      { request: { update_mode: 'update_only' }, allows: (state) => state !== null },
      {
        request: { update_filter: { must: [{ key: 'group', match: { value: group } }] } },
        allows: (state) => state === null || state.payload.group === group,
      },
    ];
    return conditions[this.#random.integer(conditions.length)] ?? ALWAYS;
  }

  async #delete(api: CollectionApi): Promise<void> {
    const points = this.#chooseIds();
    await this.#change(
      points,
      () => null,
      () => api.deletePoints({ points }),
    );
  }

  async #deleteGroup(api: CollectionApi): Promise<void> {
    const group = this.#random.integer(GROUPS);
    const ids = this.#existing().filter((id) => this.#ledger.acknowledged(id)?.payload.group === group);
    const filter: Filter = { must: [this.#mine(), { key: 'group', match: { value: group } }] };
    await this.#change(
      ids,
      () => null,
      () => api.deletePoints({ filter }),
    );
  }

  async #annotate(api: CollectionApi): Promise<void> {
    const points = this.#chooseExisting();
    if (points.length === 0) return;
    const note = `note ${this.#version++}`;
    await this.#change(
      points,
      (state) => ({ ...state, payload: { ...state.payload, note } }),
      () => api.setPayload({ points, payload: { note } }),
    );
  }

  async #overwrite(api: CollectionApi): Promise<void> {
    const points = this.#chooseExisting();
    if (points.length === 0) return;
    const { payload } = this.#newState();
    await this.#change(
      points,
      (state) => ({ ...state, payload }),
      () => api.overwritePayload({ points, payload }),
    );
  }

  /** Gives points a new vector and leaves their payload. */
  async #move(api: CollectionApi): Promise<void> {
    const points = this.#chooseExisting();
    if (points.length === 0) return;
    const vectorVersion = this.#version++;
    await this.#change(
      points,
      (state) => ({ ...state, vectorVersion }),
      () => api.updateVectors(points.map((id) => ({ id, vector: this.#ledger.shape.vector(id, vectorVersion) }))),
    );
  }

  /** What was acknowledged is seen by the next read, on whichever thread. */
  async #readBack(api: CollectionApi): Promise<void> {
    const ids = this.#chooseIds();
    const found = await api.retrieve(ids);
    const payloads = new Map(found.map(({ id, payload }) => [Number(id), payload]));
    for (const id of ids) deepStrictEqual(payloads.get(id), this.#ledger.acknowledged(id)?.payload, `point ${id} while the server runs`);
    const filter: Filter = { must: [this.#mine()] };
    const count = await api.count({ filter });
    ok(count === this.#existing().length, `client ${this.#owner} has ${this.#existing().length} points, the server counts ${count}`);
  }

  async #change(ids: readonly number[], next: (state: PointState) => PointState | null, request: () => Promise<unknown>): Promise<void> {
    const changes = new Map(
      ids.map((id) => {
        const state = this.#ledger.acknowledged(id);
        return [id, state && next(state)];
      }),
    );
    await this.#ledger.write(changes, request);
  }

  #newState(): PointState {
    const version = this.#version++;
    return { vectorVersion: version, payload: { owner: this.#owner, group: this.#random.integer(GROUPS), version } };
  }

  #mine() {
    return { key: 'owner', match: { value: this.#owner } };
  }

  #ownIds(): readonly number[] {
    return Array.from({ length: this.#idCount }, (_, index) => this.#owner * this.#idCount + index);
  }

  #existing(): readonly number[] {
    return this.#ownIds().filter((id) => this.#ledger.acknowledged(id) !== null);
  }

  #chooseIds(): readonly number[] {
    const length = 1 + this.#random.integer(BATCH_MAX);
    const first = this.#random.integer(this.#idCount - length);
    return this.#ownIds().slice(first, first + length);
  }

  #chooseExisting(): readonly number[] {
    return this.#chooseIds().filter((id) => this.#ledger.acknowledged(id) !== null);
  }
}
