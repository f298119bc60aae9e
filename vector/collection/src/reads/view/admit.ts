// SPDX-License-Identifier: Apache-2.0
/** The strict mode of one collection, as a thread that has its view enforces it. */
import { hnswOf } from '../../model/collection-config.ts';
import { tokensOf } from '../../strict-mode/charge.ts';
import { checkDemand, type StrictModeSubject } from '../../strict-mode/check-demand.ts';
import type { Demand } from '../../strict-mode/demand.ts';
import { RowFilter } from '../matching/row-filter.ts';
import type { CollectionView } from './collection-view.ts';
import { bytesOfVectors } from './figures.ts';

/** Throws where the collection does not allow what is demanded. What was refused counts against no rate. */
export function admit(view: CollectionView, demandOf: () => Demand): void {
  const strictMode = view.config.strict_mode_config;
  if (strictMode?.enabled !== true) return;
  const demand = demandOf();
  checkDemand(demand, subjectOf(view, strictMode));
  const perMinute = demand.kind === 'read' ? strictMode.read_rate_limit : strictMode.write_rate_limit;
  if (perMinute == null) return;
  const tokens = tokensOf(demand, (filter) => {
    view.storage.refresh();
    return new RowFilter(view, filter).rowsNow().count;
  });
  if (tokens > 0) view.rates.take(demand.kind, tokens, perMinute);
}

function subjectOf(view: CollectionView, strictMode: StrictModeSubject['strictMode']): StrictModeSubject {
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
        storage.refresh();
        return storage.pointCount;
      },
      get vectorBytes() {
        storage.refresh();
        return bytesOfVectors(view);
      },
      get payloadBytes() {
        storage.refresh();
        return storage.pointBytes;
      },
      get residentMemoryPercent() {
        return view.residentMemoryPercent();
      },
    },
  };
}
