import { explain, type SchemaNode } from '@sextant/foundation-contract';
import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { describe, expect, test } from 'vitest';
import type { Endpoint } from './endpoints/endpoint.ts';
import { endpoints } from './endpoints.ts';

/** Whatever JSON can carry, with the names of members that bodies have. */
const NAMES = ['name', 'type', 'monitor', 'threshold', 'expression', 'options', 'payload', 'weights', 'path', 'props', 'zz'];
const anything = fc.anything({
  maxDepth: 3,
  values: [
    fc.boolean(),
    fc.integer(),
    fc.double({ noNaN: true }),
    fc.string(),
    fc.constant(null),
    fc.constantFrom('RULE', 'METRIC', 'TRACKER', 'ML', 'S3', 'a@b', '../x', '2026-01-31T12:00:00Z'),
  ],
  key: fc.constantFrom(...NAMES),
});

const bodies = Object.entries<Endpoint>(endpoints).flatMap(([id, { body }]) => (body === undefined ? [] : [[id, body] as const]));

/** A body whose members are known to its schema, which random objects seldom are. */
function objectFor(schema: TSchema): fc.Arbitrary<unknown> {
  const known = Object.keys((schema as SchemaNode).properties ?? (schema as SchemaNode).anyOf?.[0]?.properties ?? {});
  return fc.dictionary(fc.constantFrom(...known, 'zz'), anything);
}

describe('a refusal', () => {
  test.each(bodies)('of %s has a reason exactly where the validator says no', (_id, schema) => {
    const validator = Compile(schema);
    fc.assert(
      fc.property(fc.oneof(anything, objectFor(schema)), (value) => {
        expect(explain(schema, value) === undefined).toBe(validator.Check(value));
      }),
      { numRuns: 200 },
    );
  });
});
