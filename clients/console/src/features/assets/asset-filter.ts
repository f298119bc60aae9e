/** Which assets are listed, and in which order, as it stands in the address. */

export const HEALTHS = ['incidents', 'failed', 'overdue', 'unscanned', 'well'] as const;
export type Health = (typeof HEALTHS)[number];

export const HEALTH_WORDS: { readonly [health in Health]: string } = {
  incidents: 'Open incidents',
  failed: 'Last scan failed',
  overdue: 'Overdue',
  unscanned: 'Never scanned',
  well: 'Well',
};

export const SORTS = ['name', 'project', 'source', 'health', 'freshness', 'scan', 'next'] as const;
export type Sort = (typeof SORTS)[number];

/** As it stands in the address. */
export type AssetFilter = {
  readonly q?: string | undefined;
  readonly project?: string | undefined;
  readonly type?: string | undefined;
  readonly health?: Health | undefined;
  readonly sort?: Sort | undefined;
  readonly desc?: boolean | undefined;
};

export function assetFilter(search: Readonly<Record<string, unknown>>): AssetFilter {
  const { q, project, type, desc } = search;
  const health = HEALTHS.find((each) => each === search.health);
  const sort = SORTS.find((each) => each === search.sort);
  return {
    // Digits of an address arrive as a number.
    ...((typeof q === 'string' || typeof q === 'number') && { q: String(q) }),
    ...((typeof project === 'string' || typeof project === 'number') && { project: String(project) }),
    ...(typeof type === 'string' && { type }),
    ...(health !== undefined && { health }),
    ...(sort !== undefined && { sort }),
    ...(desc === true && { desc }),
  };
}
