// SPDX-License-Identifier: Apache-2.0
/** Conditions about the point itself: its id, its slice of the collection. */
import type { PointId } from '@sextant/contracts-vector';
import { type Clause, canonicalNumber } from './clause.ts';
import { type CompileContext, refuse, spendValues } from './compile-context.ts';

const ID_MAX = 2n ** 64n - 1n;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function compileIds(ids: readonly PointId[], context: CompileContext): ReadonlySet<PointId> {
  if (!Array.isArray(ids)) refuse(context.at, 'expected a list of point ids');
  spendValues(context, ids.length);
  return new Set(ids.map((id, index) => compileId(id, `${context.at}[${index}]`)));
}

export function compileSlice(slice: { readonly total: number; readonly index: number }, { at }: CompileContext): Clause {
  const { total, index } = slice;
  if (!Number.isInteger(total) || total < 1 || total > 2 ** 31)
    refuse(`${at}.total`, `expected an integer from 1 to 2147483648, got ${String(total)}`);
  if (!Number.isInteger(index) || index < 0 || index >= total) {
    refuse(`${at}.index`, `expected an integer from 0 to ${total - 1}, got ${String(index)}`);
  }
  return { kind: 'slice', total, index };
}

function compileId(id: PointId, at: string): PointId {
  if (typeof id === 'string') {
    const uuid = id.toLowerCase();
    return UUID.test(uuid) ? uuid : refuse(at, `${JSON.stringify(id)} is not a UUID`);
  }
  const exact = typeof id === 'bigint' || Number.isInteger(id) ? BigInt(id) : undefined;
  if (exact === undefined || exact < 0n || exact > ID_MAX) refuse(at, `${String(id)} is not an unsigned 64-bit integer`);
  return canonicalNumber(exact);
}
