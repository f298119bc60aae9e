// SPDX-License-Identifier: Apache-2.0
/**
 * Texts in a body become vectors here, between the schema and the operation, which knows vectors alone: sparse ones by the built-in model,
 * dense ones by the models that the operator has configured.
 */
import { type DenseVector, isBm25, type OperationId, type RawDocument, ServiceError, type SparseVector } from '@sextant/contracts-vector';
import { assert } from '@sextant/foundation-std';
import { bm25Document, bm25Query } from '@sextant/vector-collection';
import type { EmbeddingRequest } from '../embedding/provider.ts';

/** The models that the operator has configured. */
export type DenseModels = {
  readonly models: readonly string[];
  /**
   * One vector for each text.
   * @throws ServiceError
   */
  embed(request: EmbeddingRequest): Promise<readonly DenseVector[]>;
};

/** Characters of a text to search with: other requests of the thread wait while it is taken apart, for some tens of milliseconds at most. */
const QUERY_LENGTH_MAX = 20_000;
/** Characters of a text for a dense model; all of them cut texts or refuse them long before. */
const DENSE_LENGTH_MAX = 100_000;
/** Texts of one request for dense models: they take a second or so for each hundred. */
const DENSE_TEXTS_MAX = 1_000;

/** What a text is for: to be found, or to find others by. */
const PURPOSES: { readonly [operation in OperationId]?: 'stored' | 'query' } = {
  upsert_points: 'stored',
  update_vectors: 'stored',
  batch_update: 'stored',
  search_points: 'query',
  search_batch: 'query',
  search_groups: 'query',
  query_points: 'query',
  query_batch: 'query',
  query_groups: 'query',
  recommend_points: 'query',
  recommend_batch: 'query',
  recommend_groups: 'query',
  discover_points: 'query',
  discover_batch: 'query',
};

/** Members in which callers keep what they like, and no vectors. */
const WITHOUT_VECTORS: ReadonlySet<string> = new Set(['payload', 'payloads', 'filter', 'update_filter', 'formula', 'defaults']);
/** Members that hold nothing but vectors, under whatever names. */
const ONLY_VECTORS: ReadonlySet<string> = new Set(['vector', 'vectors']);

type Place = {
  readonly document: RawDocument;
  /** In the body, as refusals name it. */
  readonly path: string;
  /** Whether it stands for a vector with a name. */
  readonly isNamed: boolean;
  readonly put: (vector: DenseVector | SparseVector) => void;
};

/** Puts a vector in the place of each text of a body that its schema has let through. */
export async function embedTexts(operation: string, body: unknown, dense: DenseModels | undefined): Promise<void> {
  // Of another operation there is none.
  const purpose = PURPOSES[operation as OperationId];
  if (purpose === undefined || !isObject(body)) return;
  const places = new TextWalk().placesIn(body);
  const ofDense = places.filter(({ document }) => !isBm25(document.model));
  checkDense(ofDense, dense);
  for (const place of places) if (isBm25(place.document.model)) place.put(sparseVector(place, purpose));
  if (dense !== undefined && ofDense.length > 0) await embedDense(ofDense, dense);
}

/** Whether a value stands in a member that holds nothing but vectors, and there under a name. */
type Surroundings = { readonly inVectors: boolean; readonly isNamed: boolean };

class TextWalk {
  readonly #places: Place[] = [];
  readonly #path: (string | number)[] = [];

  placesIn(body: object): readonly Place[] {
    this.#walk(body, { inVectors: false, isNamed: false });
    return this.#places;
  }

  #walk(value: object, around: Surroundings): void {
    if (ArrayBuffer.isView(value)) return;
    if (Array.isArray(value)) {
      // Most are of numbers, and long; ids of examples stand beside texts.
      for (let index = 0; index < value.length; index++) {
        if (typeof value[index] === 'object') this.#step(value, index, value[index], around);
      }
      return;
    }
    for (const [name, member] of Object.entries(value)) {
      if (!around.inVectors && WITHOUT_VECTORS.has(name)) continue;
      const within = { inVectors: around.inVectors || ONLY_VECTORS.has(name), isNamed: around.inVectors };
      this.#step(value, name, member, within);
    }
  }

  #step(holder: object, name: string | number, value: unknown, within: Surroundings): void {
    if (!isObject(value)) return;
    this.#path.push(name);
    const put = (vector: DenseVector | SparseVector) => void Reflect.set(holder, name, vector);
    if (isText(value)) this.#places.push({ document: value, path: this.#words(), isNamed: within.isNamed, put });
    else this.#walk(value, within);
    this.#path.pop();
  }

  #words(): string {
    return this.#path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('');
  }
}

function sparseVector({ document: { text, model, options }, path, isNamed }: Place, purpose: 'stored' | 'query'): SparseVector {
  if (purpose === 'stored') {
    if (!isNamed)
      throw refusal(path, `"${model}" makes sparse vectors, which must be named; give the text as {"<name>": {"text": …, "model": …}}`);
    return bm25Document(text, options ?? {});
  }
  if (text.length > QUERY_LENGTH_MAX) {
    const reason = `expected at most ${QUERY_LENGTH_MAX} characters to search with, got ${text.length}; a text that is stored may be longer`;
    throw refusal('text', reason);
  }
  return bm25Query(text, options ?? {});
}

/** All that can be said before a model is asked, which takes time and perhaps money. */
function checkDense(places: readonly Place[], dense: DenseModels | undefined): void {
  const served = dense?.models ?? [];
  for (const { document, path } of places) {
    if (!served.includes(document.model)) throw refusal(`${path}.model`, notServed(document.model, served));
    if (document.text.trim() === '') throw refusal(`${path}.text`, 'is empty; give a text to embed');
    if (document.text.length > DENSE_LENGTH_MAX)
      throw refusal(
        `${path}.text`,
        `expected at most ${DENSE_LENGTH_MAX} characters for the model "${document.model}", got ${document.text.length}`,
      );
  }
  if (places.length > DENSE_TEXTS_MAX) {
    const reason = `expected at most ${DENSE_TEXTS_MAX} texts for models that make dense vectors, got ${places.length}; send smaller batches`;
    throw refusal('body', reason);
  }
}

function notServed(model: string, served: readonly string[]): string {
  const others = served.map((each) => `"${each}"`).join(', ');
  const known =
    served.length === 0
      ? 'the operator can add models with SERVICE_EMBEDDING_MODELS or SERVICE_EMBEDDING_ONNX_FOLDERS'
      : `and, for dense ones, ${others}`;
  return `the model "${model}" is not served; "Qdrant/bm25" is, for sparse vectors, ${known}`;
}

/** One call for each model and number of components. */
async function embedDense(places: readonly Place[], dense: DenseModels): Promise<void> {
  const groups = Map.groupBy(places, ({ document }) => JSON.stringify([document.model, document.options?.dimensions ?? null]));
  await Promise.all([...groups.values()].map((group) => embedGroup(group, dense)));
}

async function embedGroup(group: readonly Place[], dense: DenseModels): Promise<void> {
  const [first] = group;
  assert(first !== undefined, 'a group has the place that made it');
  const { model, options } = first.document;
  const dimensions = options?.dimensions ?? undefined;
  const texts = group.map(({ document }) => document.text);
  const vectors = await dense.embed({ model, ...(dimensions === undefined ? {} : { dimensions }), texts });
  for (const [index, place] of group.entries()) {
    const vector = vectors[index];
    assert(vector !== undefined, 'there is a vector for each text');
    place.put(vector);
  }
}

function refusal(path: string, reason: string): ServiceError {
  return new ServiceError('invalid_request', { reason: `${path}: ${reason}` });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isText(value: object): value is RawDocument {
  return 'text' in value && typeof value.text === 'string' && 'model' in value && typeof value.model === 'string';
}
