// SPDX-License-Identifier: Apache-2.0
import type { VectorField } from '../../data/collections/queries.ts';

/** Numbers that are written out; a longer vector is for the one who writes to fill in. */
const SHOWN_NUMBERS = 8;

/** A point of a collection with these vectors, as a text to begin with. */
export function pointTemplate(fields: readonly VectorField[]): string {
  const [only] = fields;
  const vector =
    fields.length === 1 && only?.name === ''
      ? vectorOf(only)
      : `{${fields.map((field) => `${JSON.stringify(field.name)}: ${vectorOf(field)}`).join(', ')}}`;
  return `[\n  {"id": 1, "vector": ${vector}, "payload": {}}\n]`;
}

function vectorOf({ kind, size }: VectorField): string {
  if (kind === 'sparse') return '{"indices": [0], "values": [1]}';
  // JSON has no gaps, so what is to be filled in is an empty list, which the service refuses by its length.
  const numbers = size <= SHOWN_NUMBERS ? `[${Array.from({ length: size }, () => 0).join(', ')}]` : '[]';
  return kind === 'multi' ? `[${numbers}]` : numbers;
}
