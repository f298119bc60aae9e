// SPDX-License-Identifier: Apache-2.0
/** How the columns differ from those of the scan before. */
import type { DataType, SchemaChange } from '@sextant/contracts-observability';
import type { Column } from '@sextant/observability-connectors';

/** @param chosen types that people gave to columns: that a column has one is no news */
export function schemaChanges(
  before: readonly Column[],
  after: readonly Column[],
  chosen: { readonly [column: string]: DataType } = {},
): readonly SchemaChange[] {
  const earlier = new Map(before.map((column) => [column.name, column.source_type]));
  const later = new Map(after.map((column) => [column.name, column.source_type]));
  return [
    ...[...later].flatMap(([attribute, type]): SchemaChange[] => {
      const was = earlier.get(attribute);
      if (was === undefined) return [{ kind: 'ADDED', attribute, before: null, after: type }];
      return was === type || Object.hasOwn(chosen, attribute) ? [] : [{ kind: 'RETYPED', attribute, before: was, after: type }];
    }),
    ...[...earlier].flatMap(([attribute, type]): SchemaChange[] =>
      later.has(attribute) ? [] : [{ kind: 'REMOVED', attribute, before: type, after: null }],
    ),
  ];
}
