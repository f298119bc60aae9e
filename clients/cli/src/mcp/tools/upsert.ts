// SPDX-License-Identifier: Apache-2.0
/** The tool that writes points. */
import { strict } from '@sextant/foundation-contract';
import type { PointStruct } from '@sextant/sdk';
import Type from 'typebox';
import { spacesOf, type VectorSpace } from '../../points/vector-spaces.ts';
import { isText } from '../../points/vector-value.ts';
import { idOf } from '../bounded.ts';
import { collectionName, dryRun, modelName, pointId, type Tool, tool } from '../tool.ts';

const POINTS_MAX = 500;
const PROBLEMS_MAX = 20;

const dense = Type.Array(Type.Number(), { minItems: 1, maxItems: 65_536 });
const text = strict({ text: Type.String({ minLength: 1 }), model: modelName });
const given = Type.Union([dense, text]);

const input = strict({
  collection: collectionName,
  points: Type.Array(
    strict({
      id: pointId,
      vector: Type.Union([dense, text, Type.Record(Type.String(), given)], {
        description: 'A list of numbers, a text with its model, or an object with one of these for each named vector',
      }),
      payload: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    }),
    { minItems: 1, maxItems: POINTS_MAX },
  ),
  dry_run: dryRun,
});

type Point = Type.Static<typeof input>['points'][number];

export const upsertTool: Tool = tool({
  name: 'upsert',
  title: 'Write points',
  description: `Inserts points, or replaces points with the same id, up to ${POINTS_MAX} at a time. With dry_run it reports how many would be new, replaced or refused.`,
  kind: 'write',
  isIdempotent: true,
  input,
  output: Type.Object({ dry_run: Type.Boolean(), inserted: Type.Integer(), replaced: Type.Integer(), problems: Type.Array(Type.String()) }),
  run: async ({ collection: name, points, dry_run }, { services: { vector }, signal }) => {
    const collection = vector.collection(name);
    const ids = [...new Set(points.map(({ id }) => idOf(id)))];
    const known = await collection.retrieve({ ids, with_payload: false, with_vector: false }, { signal });
    const figures = { inserted: ids.length - known.length, replaced: known.length };
    if (dry_run === true) {
      const spaces = spacesOf(await collection.info({ signal }));
      const problems = points.flatMap((point) => problemsOf(point, spaces));
      return { dry_run: true, ...figures, problems: problems.slice(0, PROBLEMS_MAX) };
    }
    // A schema has let them through; the service validates their payloads.
    await collection.upsert(points.map((point) => ({ ...point, id: idOf(point.id) })) as readonly PointStruct[], { signal });
    return { dry_run: false, ...figures, problems: [] };
  },
});

/** What the service would refuse of the vectors of a point. */
function problemsOf({ id, vector }: Point, spaces: readonly VectorSpace[]): readonly string[] {
  const named = Array.isArray(vector) || isText(vector) ? [[undefined, vector] as const] : Object.entries(vector);
  return named.flatMap(([name, value]) => {
    const called = name === undefined ? 'the vector' : `the vector ${name}`;
    const space = spaces.find((candidate) => candidate.name === name);
    if (space === undefined) return [`point ${id}: the collection has no ${name === undefined ? 'unnamed vector' : `vector ${name}`}`];
    // How long the vector of a text will be, only its model knows.
    if (!Array.isArray(value) || space.size === undefined || space.size === value.length) return [];
    return [`point ${id}: ${called} has ${value.length} components; the collection expects ${space.size}`];
  });
}
