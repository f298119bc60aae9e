// SPDX-License-Identifier: Apache-2.0
/** Which assets are listed, and in which order, as it stands in the address. */
import type { AssetRow } from '../../data/assets/asset-rows.ts';
import { type AddressOf, readAddress } from '../../ui/address.ts';

export const HEALTHS = ['incidents', 'failed', 'overdue', 'unscanned', 'doubtful', 'well'] as const;
export type Health = (typeof HEALTHS)[number];

export const HEALTH_LABELS: { readonly [health in Health]: string } = {
  incidents: 'Open incidents',
  failed: 'Last scan failed',
  overdue: 'Overdue',
  unscanned: 'Never scanned',
  doubtful: 'Low or no score',
  well: 'Well',
};

export const SORTS = ['name', 'project', 'source', 'health', 'freshness', 'scan', 'next'] as const;
export type Sort = (typeof SORTS)[number];

const FIELDS = { q: 'text', project: 'text', type: 'text', health: HEALTHS, sort: SORTS, desc: 'flag' } as const;

/** As it stands in the address. */
export type AssetFilter = AddressOf<typeof FIELDS>;

export function assetFilter(search: Readonly<Record<string, unknown>>): AssetFilter {
  return readAddress(search, FIELDS);
}

const IS: { readonly [health in Health]: (row: AssetRow) => boolean } = {
  incidents: ({ open }) => open.total > 0,
  failed: ({ job }) => job?.status === 'FAILED',
  overdue: ({ isOverdue, isLate }) => isOverdue || isLate,
  unscanned: ({ job, measuredMs }) => job === undefined && measuredMs === null,
  // An empty delivery, or a scan that read no values, breaks nothing and shows nothing good.
  doubtful: ({ job, score }) => job !== undefined && (score?.state === 'not_measured' || score?.band === 'fair' || score?.band === 'poor'),
  well: (row) => HEALTHS.every((each) => each === 'well' || !IS[each](row)),
};

/** Those that pass all but the health, so that each choice can be shown with its count. */
export function filtered(rows: readonly AssetRow[], { q = '', project, type }: AssetFilter): readonly AssetRow[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter(({ asset, source, project: name }) => {
    if (project !== undefined && String(asset.project_id) !== project) return false;
    if (type !== undefined && asset.type !== type) return false;
    const text = `${asset.name} ${asset.tags.join(' ')} ${source} ${name}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export function withHealth(rows: readonly AssetRow[], health: Health | undefined): readonly AssetRow[] {
  return health === undefined ? rows : rows.filter(IS[health]);
}

const names = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** What is unknown comes last, whichever way round. */
export function sorted(rows: readonly AssetRow[], { sort = 'name', desc = false }: AssetFilter): readonly AssetRow[] {
  const sign = desc ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [one, other] = [keyOf(a, sort), keyOf(b, sort)];
    if (one === null || other === null) return Number(one === null) - Number(other === null) || byName(a, b);
    const order = typeof one === 'string' || typeof other === 'string' ? names.compare(String(one), String(other)) : one - other;
    return sign * order || byName(a, b);
  });
}

function byName(a: AssetRow, b: AssetRow): number {
  return names.compare(a.asset.name, b.asset.name);
}

function keyOf({ asset, project, source, score, open, measuredMs, job, nextMs }: AssetRow, sort: Sort): string | number | null {
  switch (sort) {
    case 'name':
      return asset.name;
    case 'project':
      return project;
    case 'source':
      return source;
    case 'health':
      // The lowest score first, and of equal ones that with more to do about.
      return score?.score == null && open.total === 0 ? null : (score?.score ?? 0) - open.total / 1e6;
    case 'freshness':
      return measuredMs;
    case 'scan':
      return job === undefined ? null : Date.parse(job.created_at);
    case 'next':
      return nextMs;
  }
}
