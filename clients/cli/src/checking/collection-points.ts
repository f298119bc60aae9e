// SPDX-License-Identifier: Apache-2.0
/** The points of a collection of a running service, which is asked for its recall too. */
import { type NearestSearch, SourceError, type VectorPoint } from '@sextant/observability-scan/vectors';
import { ApiError, type Collection, type QueryPoints } from '@sextant/sdk';
import { LONG_WORK } from '../connection/clients.ts';
import { pagesOf } from '../exporting/points-of-collection.ts';
import { spacesOf } from '../points/vector-spaces.ts';
import { type CheckedPoints, denseVectors, UNNAMED } from './checked-points.ts';

const WHOLE = { filter: undefined, limit: undefined, withPayload: true, withVector: true } as const;

export async function openCollectionPoints(collection: Collection, signal: AbortSignal): Promise<CheckedPoints> {
  const info = await collection.info({ signal });
  const spaces = spacesOf(info);
  const dimensions = Object.fromEntries(
    spaces.flatMap(({ name = UNNAMED, kind, size }) => (kind === 'dense' && size !== undefined ? [[name, size] as const] : [])),
  );
  const notDense = new Set(spaces.filter(({ kind }) => kind !== 'dense').map(({ name = UNNAMED }) => name));
  return {
    access: {
      info: async () => ({ points: info.points_count, indexed: info.indexed_vectors_count, dimensions }),
      points: async function* () {
        for await (const page of pagesOf(collection, spaces, WHOLE, signal)) {
          yield page.map(
            ({ id, payload = {}, vector }): VectorPoint => ({ id: String(id), payload, vectors: denseVectors(vector, new Set(notDense)) }),
          );
        }
      },
      nearest: async (searches) => {
        try {
          const answers = await collection.queryBatch(searches.map(queryOf), { ...LONG_WORK, signal });
          return answers.map((hits) => hits.map(({ id, score }) => ({ id: String(id), score })));
        } catch (error) {
          // A refusal, such as that of strict mode, leaves the recall unknown; all else ends the check.
          if (error instanceof ApiError && error.status < 500) throw new SourceError(error.message, { cause: error, status: error.status });
          throw error;
        }
      },
    },
    notDense: () => notDense,
    unreadable: () => ({ count: 0, first: [] }),
    [Symbol.asyncDispose]: async () => undefined,
  };
}

function queryOf({ id, vector, limit, isExact, where }: NearestSearch): QueryPoints {
  return {
    query: /^\d+$/.test(id) ? BigInt(id) : id,
    ...(vector !== UNNAMED && { using: vector }),
    limit,
    params: { exact: isExact },
    ...(where && { filter: { must: [{ key: where.member, match: { value: where.value } }] } }),
  };
}
