// SPDX-License-Identifier: Apache-2.0
/** Clients that change what is around the points: field indexes that come and go, whole collections that come and go. */
import { ok } from 'node:assert/strict';
import type { FieldType, VectorNameConfig } from '@sextant/contracts-vector';
import type { Random } from '@sextant/foundation-std';
import { until } from '../until.ts';
import { type CollectionApi, RequestError, type VectorApi } from '../vector-api.ts';
import { PointLedger } from './ledger.ts';
import { PLAIN } from './point-shape.ts';

/** A thing that is there or not, with a change perhaps on its way. */
type Presence = { acknowledged: boolean; proposed: boolean };

const FIELDS: readonly (readonly [string, FieldType])[] = [
  ['owner', 'integer'],
  ['group', 'integer'],
  ['note', 'keyword'],
];

export class IndexClient {
  readonly #random: Random;
  readonly #indexes = new Map(FIELDS.map(([field]): [string, Presence] => [field, { acknowledged: false, proposed: false }]));

  constructor(random: Random) {
    this.#random = random;
  }

  async step(api: CollectionApi): Promise<void> {
    const [field, type] = FIELDS[this.#random.integer(FIELDS.length)] ?? ['owner', 'integer'];
    const index = this.#indexes.get(field) ?? { acknowledged: false, proposed: false };
    index.proposed = !index.acknowledged;
    if (index.proposed) await api.createIndex(field, type);
    else await api.deleteIndex(field);
    index.acknowledged = index.proposed;
  }

  async reconcile(api: CollectionApi): Promise<void> {
    const { payload_schema } = await api.info();
    for (const [field, index] of this.#indexes) {
      const found = field in payload_schema;
      ok(found === index.acknowledged || found === index.proposed, `index ${field} is ${found ? 'there' : 'lost'}`);
      this.#indexes.set(field, { acknowledged: found, proposed: found });
    }
  }
}

const EXTRA = 'extra';

/** Adds a vector to a collection, and removes it. */
export class VectorClient {
  readonly #config: VectorNameConfig;
  #vector: Presence = { acknowledged: false, proposed: false };

  constructor(config: VectorNameConfig) {
    this.#config = config;
  }

  async step(api: CollectionApi): Promise<void> {
    this.#vector.proposed = !this.#vector.acknowledged;
    if (this.#vector.proposed) await api.addVector(EXTRA, this.#config);
    else await api.removeVector(EXTRA);
    this.#vector.acknowledged = this.#vector.proposed;
  }

  async reconcile(api: CollectionApi): Promise<void> {
    const { config } = await api.info();
    const { acknowledged, proposed } = this.#vector;
    const found = JSON.stringify(config.params).includes(`"${EXTRA}"`);
    ok(found === acknowledged || found === proposed, `the vector ${EXTRA} is ${found ? 'back' : 'lost'}`);
    this.#vector = { acknowledged: found, proposed: found };
  }
}

const COLLECTIONS = ['cycle a', 'cycle b', 'cycle c'];
const POINTS = 30;

export class CollectionClient {
  readonly #random: Random;
  readonly #collections = COLLECTIONS.map((name) => ({
    name,
    presence: { acknowledged: false, proposed: false },
    points: new PointLedger(PLAIN),
  }));
  #version = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Creates an absent collection and fills it, or deletes one. */
  async step(vectors: VectorApi): Promise<void> {
    const chosen = this.#collections[this.#random.integer(COLLECTIONS.length)];
    if (chosen === undefined) return;
    const { name, presence, points } = chosen;
    const api = vectors.collection(name);
    presence.proposed = !presence.acknowledged;
    if (presence.proposed) await api.create(PLAIN.config);
    else await api.remove();
    presence.acknowledged = presence.proposed;
    points.clear();
    if (presence.acknowledged) await this.#fill(api, points);
  }

  async #fill(api: CollectionApi, ledger: PointLedger): Promise<void> {
    const version = this.#version++;
    const ids = Array.from({ length: POINTS }, (_, id) => id);
    await ledger.write(new Map(ids.map((id) => [id, { vectorVersion: version, payload: { version } }])), () =>
      api.upsert(ids.map((id) => ({ id, vector: PLAIN.vector(id, version), payload: { version } }))),
    );
  }

  /** Compares every collection, and `inspect`s those that are there. */
  async reconcile(vectors: VectorApi, inspect: (api: CollectionApi, points: PointLedger) => Promise<void>): Promise<void> {
    const listed = new Set((await vectors.collections()).collections.map(({ name }) => name));
    for (const collection of this.#collections) {
      const { name, presence, points } = collection;
      const api = vectors.collection(name);
      const found = await until(`the deletion of ${name} ends`, 10_000, () => existsForGood(api));
      ok(found === presence.acknowledged || found === presence.proposed, `collection ${name} is ${found ? 'back' : 'lost'}`);
      if (found) ok(listed.has(name), `collection ${name} is listed`);
      // It is there and should perhaps be gone, or the other way round: then only the state that was found has points to compare.
      if (found !== presence.acknowledged) points.clear();
      collection.presence = { acknowledged: found, proposed: found };
      if (found) await inspect(api, points);
      else points.clear();
    }
  }
}

/** Whether the collection exists; undefined while a deletion that the crash interrupted is being finished. */
async function existsForGood(api: CollectionApi): Promise<boolean | undefined> {
  if (!(await api.exists())) return false;
  try {
    await api.info();
    return true;
  } catch (error) {
    if (error instanceof RequestError && (error.status === 412 || error.status === 404)) return undefined;
    throw error;
  }
}
