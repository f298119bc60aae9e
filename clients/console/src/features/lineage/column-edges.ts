// SPDX-License-Identifier: Apache-2.0
/** Columns and their sources as a form holds them: a source is one text, as fields of choices want it. */
import type { ColumnLineage, PutColumnLineage } from '@sextant/sdk';

export type ColumnEdges = {
  readonly attribute: string;
  /** Keys of sources. */
  readonly sources: readonly string[];
};

type Parent = { readonly id: string; readonly name: string; readonly attributes: readonly string[] };
type Choice = { readonly value: string; readonly label: string };

export function edgesOf({ attribute, sources }: ColumnLineage): ColumnEdges {
  return { attribute, sources: sources.map((source) => keyOf(source.asset_id, source.attribute)) };
}

export function sourcesOf({ attribute, sources }: ColumnEdges): PutColumnLineage['columns'][number] {
  return {
    attribute,
    sources: sources.map((key) => {
      // As `keyOf` wrote it.
      const [asset_id, source] = JSON.parse(key) as readonly [string, string];
      return { asset_id, attribute: source };
    }),
  };
}

/** What could be a source: the columns of the parents, and what is one although no scan has seen it. */
export function sourceChoices(parents: readonly Parent[], columns: readonly ColumnEdges[]) {
  const named = columns.flatMap((each) => sourcesOf(each).sources);
  return parents.map(({ id, name, attributes }) => {
    const unseen = named.filter(({ asset_id }) => asset_id === id).map(({ attribute }) => attribute);
    const items = [...new Set([...attributes, ...unseen])].map((attribute): Choice => ({ value: keyOf(id, attribute), label: attribute }));
    return { group: name, items };
  });
}

/** What is wrong with the name of a column. */
export function problemAt(columns: readonly ColumnEdges[], index: number): string | undefined {
  const name = columns[index]?.attribute;
  if (name === undefined || name === '') return 'Name the column';
  return columns.findIndex(({ attribute }) => attribute === name) < index ? 'This column is listed already' : undefined;
}

function keyOf(assetId: string, attribute: string): string {
  return JSON.stringify([assetId, attribute]);
}
