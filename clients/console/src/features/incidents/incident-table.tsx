// SPDX-License-Identifier: Apache-2.0
import { Box, VisuallyHidden } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import { assetList } from '../../data/assets/queries.ts';
import type { IncidentFilter } from '../../data/incidents/filter.ts';
import { incidentPage, PAGE_INCIDENTS } from '../../data/incidents/queries.ts';
import { useServices } from '../../data/services/services.ts';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import classes from './incident-list.module.css';
import { IncidentHeader, IncidentRow } from './incident-row.tsx';
import { keepPlace, placeOf } from './list-place.ts';
import { useRowKeys } from './use-row-keys.ts';

const ROW_PX = 52;
const OVERSCAN = 12;

type IncidentTableProps = {
  readonly filter: IncidentFilter;
  /** How many pass the filter. */
  readonly count: number;
  readonly search: RefObject<HTMLInputElement | null>;
};

/** Rows that are in sight are asked for and drawn, however many there are. */
export function IncidentTable({ filter, count, search }: IncidentTableProps) {
  const { observability } = useServices();
  const scroller = useRef<HTMLDivElement>(null);
  const step = useLocation({ select: ({ state }) => state.__TSR_key ?? '' });
  const rows = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    initialOffset: placeOf(step)?.offsetPx ?? 0,
  });
  const drawn = rows.getVirtualItems();
  const pages = pagesOf(drawn[0]?.index ?? 0, drawn.at(-1)?.index ?? 0);
  const asked = useQueries({ queries: pages.map((page) => incidentPage(observability, filter, page)) });
  const failed = asked.find(({ isError }) => isError);
  const assets = useQuery(assetList(observability)).data;
  const names = new Map(assets?.map(({ id, name }) => [id, name]));
  const incidentAt = (index: number) => asked[Math.floor(index / PAGE_INCIDENTS) - (pages[0] ?? 0)]?.data?.[index % PAGE_INCIDENTS];

  const active = useRowKeys({ count, rows, scroller, search, initialRow: placeOf(step)?.row });
  // Before the list is taken out of the page: then it has no place any more.
  useLayoutEffect(() => {
    const element = scroller.current;
    return () => keepPlace(step, { offsetPx: element?.scrollTop ?? 0, row: active.current });
  }, [step, active]);

  return (
    <>
      {failed !== undefined && <ErrorPanel error={failed.error} doing="list the incidents" onRetry={() => void failed.refetch()} />}
      <IncidentHeader />
      <Box ref={scroller} style={{ overflow: 'auto', flex: '1 1 0', minHeight: 280, contain: 'strict' }}>
        <ol className={classes.list} style={{ height: rows.getTotalSize() }} aria-label="Incidents">
          {drawn.map(({ index, start }) => {
            const incident = incidentAt(index);
            return (
              <li
                key={index}
                aria-setsize={count}
                aria-posinset={index + 1}
                data-row={index}
                className={`${classes.columns} ${classes.row}`}
                style={{ height: ROW_PX, transform: `translateY(${start}px)` }}
                onFocus={() => {
                  active.current = index;
                }}
              >
                <IncidentRow incident={incident} assetName={incident && names.get(incident.asset_id)} />
              </li>
            );
          })}
        </ol>
      </Box>
      <VisuallyHidden>Press the arrow keys or j and k to move between rows, and Enter to open an incident.</VisuallyHidden>
    </>
  );
}

/** At least the first: what has no rows yet is empty. */
function pagesOf(first: number, last: number): readonly number[] {
  const start = Math.floor(first / PAGE_INCIDENTS);
  return Array.from({ length: Math.floor(last / PAGE_INCIDENTS) - start + 1 }, (_, index) => start + index);
}
