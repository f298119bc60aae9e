// SPDX-License-Identifier: Apache-2.0
/** Tools that read collections. */
import { strict } from '@sextant/foundation-contract';
import Type from 'typebox';
import { CommandFailure } from '../../failure.ts';
import { spacesOf } from '../../points/vector-spaces.ts';
import { fitted, idOf } from '../bounded.ts';
import { collectionName, filter, leftOut, modelName, noInput, pointId, type Tool, tool } from '../tool.ts';

const LIMIT_MAX = 100;

const vectors = Type.Array(Type.Object({ kind: Type.String() }), {
  description: 'Name (absent for the unnamed vector), kind, size and distance of each vector',
});
const hit = Type.Object({ id: pointId, score: Type.Number() });
const point = Type.Object({ id: pointId });

const withPayload = Type.Optional(
  Type.Union([Type.Boolean(), Type.Array(Type.String())], {
    description: 'Whether payloads are returned, or which keys of them; by default all',
  }),
);
const withVector = Type.Optional(Type.Boolean({ description: 'Whether vectors are returned too; vectors are long' }));

export const collectionTools: readonly Tool[] = [
  tool({
    name: 'list_collections',
    title: 'List collections',
    description: 'The names of all collections of the vector database.',
    kind: 'read',
    isIdempotent: true,
    input: noInput,
    output: Type.Object({ collections: Type.Array(Type.String()), left_out: leftOut }),
    run: async (_, { services: { vector }, signal }) => {
      const { items, leftOut: more } = fitted(await vector.listCollections({ signal }));
      return { collections: items, left_out: more };
    },
  }),
  tool({
    name: 'collection_info',
    title: 'Describe a collection',
    description: 'How many points a collection has, which vectors (name, size, distance), and which payload keys are indexed for filters.',
    kind: 'read',
    isIdempotent: true,
    input: strict({ collection: collectionName }),
    output: Type.Object({ status: Type.String(), points_count: Type.Integer(), indexed_vectors_count: Type.Integer(), vectors }),
    run: async ({ collection }, { services: { vector }, signal }) => {
      const info = await vector.getCollection(collection, { signal });
      const { status, points_count, indexed_vectors_count, payload_schema, warnings = [] } = info;
      return {
        status,
        points_count,
        indexed_vectors_count,
        vectors: spacesOf(info),
        payload_schema,
        warnings: warnings.map(({ message }) => message),
      };
    },
  }),
  tool({
    name: 'search',
    title: 'Search',
    description:
      'The points nearest to a text (with the `model` that embeds the texts of the collection), to a vector, or to a point of the collection (`id`), nearest first.',
    kind: 'read',
    isIdempotent: true,
    input: strict({
      collection: collectionName,
      vector: Type.Optional(
        Type.Array(Type.Number(), {
          minItems: 1,
          maxItems: 65_536,
          description: 'The query vector; pass `text` or `id` instead for other searches',
        }),
      ),
      text: Type.Optional(Type.String({ minLength: 1, description: 'The query text; needs `model`' })),
      model: Type.Optional(modelName),
      id: Type.Optional(pointId),
      using: Type.Optional(Type.String({ description: 'Name of the vector; only for collections with named vectors' })),
      filter,
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMIT_MAX, description: '10 by default' })),
      hnsw_ef: Type.Optional(
        Type.Integer({ minimum: 1, description: 'Search width in the graph: a larger value finds more and takes longer' }),
      ),
      exact: Type.Optional(Type.Boolean({ description: 'Exact search: compare with every point' })),
      with_payload: withPayload,
      with_vector: withVector,
    }),
    output: Type.Object({ hits: Type.Array(hit), left_out: leftOut }),
    run: async (
      { collection, vector: components, text, model, id, using, filter: wanted, limit, hnsw_ef, exact, with_payload, with_vector },
      { services: { vector }, signal },
    ) => {
      if ((text === undefined) !== (model === undefined)) throw new CommandFailure('usage', '`text` and `model` must be passed together');
      const document = text === undefined || model === undefined ? undefined : { text, model };
      const [query, another] = [components, document, id === undefined ? undefined : idOf(id)].filter((given) => given !== undefined);
      if (query === undefined || another !== undefined)
        throw new CommandFailure('usage', 'a search needs one of `vector`, `text` and `id`');
      const hits = await vector.collection(collection).query(
        {
          query,
          limit: limit ?? 10,
          with_payload: with_payload ?? true,
          with_vector: with_vector ?? false,
          ...(using !== undefined && { using }),
          ...(wanted !== undefined && { filter: wanted }),
          params: { ...(hnsw_ef !== undefined && { hnsw_ef }), ...(exact !== undefined && { exact }) },
        },
        { signal },
      );
      const { items, leftOut: more } = fitted(hits);
      return { hits: items, left_out: more };
    },
  }),
  tool({
    name: 'scroll',
    title: 'Read points',
    description:
      'Lists points in the order of their ids, page by page: pass `next_page_offset` of one answer as `offset` of the next call; it is null at the end.',
    kind: 'read',
    isIdempotent: true,
    input: strict({
      collection: collectionName,
      filter,
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMIT_MAX, description: '20 by default' })),
      offset: Type.Optional(pointId),
      with_payload: withPayload,
      with_vector: withVector,
    }),
    output: Type.Object({ points: Type.Array(point), next_page_offset: Type.Union([pointId, Type.Null()]) }),
    run: async ({ collection, filter: wanted, limit, offset, with_payload, with_vector }, { services: { vector }, signal }) => {
      const page = await vector.collection(collection).scrollPage(
        {
          limit: limit ?? 20,
          with_payload: with_payload ?? true,
          with_vector: with_vector ?? false,
          ...(wanted !== undefined && { filter: wanted }),
          ...(offset !== undefined && { offset: idOf(offset) }),
        },
        { signal },
      );
      const { items } = fitted(page.points);
      // The next page begins with the first that did not fit.
      const next = page.points[items.length]?.id ?? page.next_page_offset;
      if (items.length === 0 && page.points.length > 0) {
        throw new CommandFailure('rejected', `point ${page.points[0]?.id} alone is too long for an answer`, {
          advice: 'Ask for fewer payload keys, or leave out the vectors.',
        });
      }
      return { points: items, next_page_offset: next };
    },
  }),
];
