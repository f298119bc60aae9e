// SPDX-License-Identifier: Apache-2.0
/** What a value has that its schema does not know. Only walked for a value that does not fit, as `explain` is. */
import { check, fitOf, isRecord, type Place, resolve, type SchemaNode, schemaOfMember, within } from './explain.ts';

export type UnknownMember = {
  /** The object that has it. */
  readonly owner: object;
  readonly name: string;
  /** Such as `points[].payload`: the same for all items of an array. */
  readonly path: string;
};

/** Members that strict objects of the schema do not know. Names that are free within a pattern are none, whether they follow it or not. */
export function unknownMembers(schema: SchemaNode, value: unknown): readonly UnknownMember[] {
  const found: UnknownMember[] = [];
  visit(schema, value, { path: '', definitions: {} }, found);
  return found;
}

function visit(given: SchemaNode, value: unknown, outer: Place, found: UnknownMember[]): void {
  const place = within(given, outer);
  const schema = resolve(given, place);
  if (schema.anyOf !== undefined) {
    const branch = nearest(schema.anyOf, value, place);
    if (branch !== undefined) visit(branch, value, place, found);
  } else if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return;
    for (const item of value) if (typeof item === 'object') visit(items, item, { ...place, path: `${place.path}[]` }, found);
  } else if (isRecord(value)) {
    for (const [name, member] of Object.entries(value)) {
      const path = place.path === '' ? name : `${place.path}.${name}`;
      const known = schemaOfMember(schema, name);
      if (known !== undefined) visit(known, member, { ...place, path }, found);
      else if (schema.patternProperties === undefined) found.push({ owner: value, name, path });
    }
  }
}

/** The branch that the value comes closest to; undefined where it fits one, or is nowhere near any. */
function nearest(branches: readonly SchemaNode[], value: unknown, place: Place): SchemaNode | undefined {
  let best: { branch: SchemaNode; fit: number } | undefined;
  for (const branch of branches) {
    if (branch['x-not-yet'] !== undefined) continue;
    if (check(branch, value, place) === undefined) return undefined;
    const fit = fitOf(branch, value, place);
    if (fit > (best?.fit ?? Number.NEGATIVE_INFINITY)) best = { branch, fit };
  }
  return best?.branch;
}
