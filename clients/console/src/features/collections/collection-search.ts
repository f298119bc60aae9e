// SPDX-License-Identifier: Apache-2.0
/** What of a collection's screen is part of its address. */
const TABS = ['overview', 'points', 'search', 'map'] as const;
export type CollectionTab = (typeof TABS)[number];

export type CollectionSearch = {
  readonly tab?: CollectionTab | undefined;
  /** Of the points, as JSON. */
  readonly filter?: string | undefined;
  /** The scan whose faulty points are highlighted. */
  readonly highlight?: string | undefined;
  /** How the map lays vectors on a plane. */
  readonly projection?: 'pca' | 'umap' | undefined;
  /** The payload key that colours the map. */
  readonly colour?: string | undefined;
  /** The vector that the map shows, by its name. */
  readonly vector?: string | undefined;
};

const TEXTS = ['filter', 'highlight', 'colour', 'vector'] as const;

/** Leaves out what means nothing here. */
export function collectionSearch(search: Record<string, unknown>): CollectionSearch {
  const tab = TABS.find((each) => each === search.tab);
  const projection = (['pca', 'umap'] as const).find((each) => each === search.projection);
  return {
    ...(tab !== undefined && { tab }),
    ...(projection !== undefined && { projection }),
    ...Object.fromEntries(TEXTS.flatMap((name) => (typeof search[name] === 'string' ? [[name, search[name]]] : []))),
  };
}
