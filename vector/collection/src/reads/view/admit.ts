// SPDX-License-Identifier: Apache-2.0
/**
 * The strict mode of one collection, as a thread that has its view enforces it. What a collection in shards holds is nowhere on one node, so the thread that
 * takes a request asks all shards when the answer hangs on it.
 */
import type { Filter, StrictModeConfig } from '@sextant/contracts-vector';
import { hnswOf } from '../../model/collection-config.ts';
import { asksForSize, type CollectionSize, checkDemand, type StrictModeSubject } from '../../strict-mode/check-demand.ts';
import type { Demand, DemandPart } from '../../strict-mode/demand.ts';
import { tokensOf } from '../../strict-mode/rate-limits.ts';
import { RowFilter } from '../matching/row-filter.ts';
import type { CollectionView } from './collection-view.ts';
import { bytesOfVectors } from './figures.ts';

/** What the shards of a collection hold together. */
export type WholeCollection = {
  size(): Promise<CollectionSize>;
  count(filter: Filter): Promise<number>;
};

/**
 * Throws, or rejects, where the collection does not allow what is demanded. What was refused counts against no rate.
 * @param whole of a collection in shards
 */
export function admit(view: CollectionView, demandOf: () => Demand, whole?: WholeCollection): Promise<void> | void {
  const strictMode = view.config.strict_mode_config;
  if (strictMode?.enabled !== true) return undefined;
  const demand = demandOf();
  if (whole !== undefined) return admitToShards(view, { demand, strictMode, whole });
  checkDemand(demand, subjectOf(view, strictMode));
  takeTokens(view, { demand, strictMode }, ({ filter }) => {
    view.storage.refresh();
    return new RowFilter(view, filter ?? {}).rowsNow().count;
  });
}

type Admission = { readonly demand: Demand; readonly strictMode: StrictModeConfig };

async function admitToShards(
  view: CollectionView,
  { demand, strictMode, whole }: Admission & { readonly whole: WholeCollection },
): Promise<void> {
  const size = asksForSize(demand, strictMode) ? await whole.size() : undefined;
  checkDemand(demand, subjectOf(view, strictMode, size));
  const byFilter = rateOf({ demand, strictMode }) == null ? [] : demand.parts.filter(({ charge }) => charge === 'matching points');
  const counts = await Promise.all(byFilter.map(async (part) => [part, await whole.count(part.filter ?? {})] as const));
  const matching = new Map(counts);
  takeTokens(view, { demand, strictMode }, (part) => matching.get(part) ?? 0);
}

function rateOf({ demand, strictMode }: Admission): number | null | undefined {
  return demand.kind === 'read' ? strictMode.read_rate_limit : strictMode.write_rate_limit;
}

function takeTokens(view: CollectionView, admission: Admission, matching: (part: DemandPart) => number): void {
  const { demand } = admission;
  const perMinute = rateOf(admission);
  if (perMinute == null) return;
  const tokens = tokensOf(demand, matching);
  if (tokens > 0) view.rates.take(demand.kind, tokens, perMinute);
}

/** @param size of all shards; without it, the collection is in one piece */
function subjectOf(view: CollectionView, strictMode: StrictModeConfig, size?: CollectionSize): StrictModeSubject {
  const { name, fieldIndexes, storage } = view;
  return {
    name,
    strictMode,
    fieldIndexes,
    linksOf: (vector) => {
      const space = [...view.spaces, ...view.multi].find((candidate) => candidate.name === vector);
      return space && hnswOf(view.config, space.params).m;
    },
    figures: {
      get points() {
        if (size !== undefined) return size.points;
        storage.refresh();
        return storage.pointCount;
      },
      get vectorBytes() {
        if (size !== undefined) return size.vectorBytes;
        storage.refresh();
        return bytesOfVectors(view);
      },
      get payloadBytes() {
        if (size !== undefined) return size.payloadBytes;
        storage.refresh();
        return storage.pointBytes;
      },
      get residentMemoryPercent() {
        return view.residentMemoryPercent();
      },
    },
  };
}
