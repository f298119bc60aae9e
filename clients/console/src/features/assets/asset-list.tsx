import { Table, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { AssetFilter, Sort } from './asset-filter.ts';
import styles from './asset-list.module.css';
import { AssetListRow } from './asset-list-row.tsx';
import type { AssetRow } from './asset-rows.ts';

const ROW_PX = 36;
const OVERSCAN = 10;
const PAGE_ROWS = 15;

type Column = { readonly sort: Sort; readonly label: string; readonly width?: number; readonly visibleFrom?: 'sm' | 'md' | 'lg' };

const COLUMNS: readonly Column[] = [
  { sort: 'name', label: 'Name' },
  { sort: 'project', label: 'Project', width: 110, visibleFrom: 'lg' },
  { sort: 'source', label: 'Source', width: 130, visibleFrom: 'md' },
  { sort: 'health', label: 'Health', width: 130 },
  { sort: 'freshness', label: 'Freshness', width: 130, visibleFrom: 'sm' },
  { sort: 'scan', label: 'Last scan', width: 190, visibleFrom: 'sm' },
  { sort: 'next', label: 'Next scan', width: 100, visibleFrom: 'lg' },
];

type AssetListProps = {
  readonly rows: readonly AssetRow[];
  readonly filter: AssetFilter;
  readonly nowMs: number;
  readonly onSort: (sort: Sort) => void;
};

/** Only the rows in sight are in the page, so a thousand scroll as ten do. One row is in the order of Tab; the arrows go to the others. */
export function AssetList({ rows, filter, nowMs, onSort }: AssetListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const wanted = useRef<number>(undefined);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    getItemKey: (index) => rows[index]?.asset.id ?? index,
  });
  const items = virtual.getVirtualItems();
  const [first, last] = [items[0], items.at(-1)];
  const reachable = items.some(({ index }) => index === active) ? active : (first?.index ?? 0);

  // A row that was asked for is in the page only after the scrolling that it takes.
  useEffect(() => {
    if (wanted.current === undefined) return;
    const link = scroller.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"] a`);
    if (link == null) return;
    wanted.current = undefined;
    link.focus({ preventScroll: true });
  });

  const move = (event: KeyboardEvent) => {
    const target = targetOf(event.key, active, rows.length);
    if (target === undefined) return;
    event.preventDefault();
    wanted.current = target;
    setActive(target);
    virtual.scrollToIndex(target);
  };

  return (
    <div ref={scroller} className={styles.scroller}>
      <Table stickyHeader highlightOnHover layout="fixed" aria-rowcount={rows.length + 1} aria-label="Assets">
        <Table.Thead>
          <Table.Tr>
            {COLUMNS.map(({ sort, label, width, visibleFrom }) => (
              <Table.Th
                key={sort}
                {...(width !== undefined && { w: width })}
                {...(visibleFrom !== undefined && { visibleFrom })}
                aria-sort={sort !== (filter.sort ?? 'name') ? 'none' : filter.desc === true ? 'descending' : 'ascending'}
              >
                <UnstyledButton fz="sm" fw={600} onClick={() => onSort(sort)} style={{ display: 'flex', alignItems: 'center', gap: 4 }}>
                  {label}
                  {sort === (filter.sort ?? 'name') && (filter.desc === true ? <IconChevronDown size={14} /> : <IconChevronUp size={14} />)}
                </UnstyledButton>
              </Table.Th>
            ))}
            <Table.Th w={44} aria-label="Actions" />
          </Table.Tr>
        </Table.Thead>
        <Spacer px={first?.start ?? 0} />
        <Table.Tbody onKeyDown={move}>
          {items.map(({ index, key }) => {
            const row = rows[index];
            return row === undefined ? null : (
              <AssetListRow key={key} row={row} index={index} nowMs={nowMs} isReachable={index === reachable} onActive={setActive} />
            );
          })}
        </Table.Tbody>
        <Spacer px={last === undefined ? 0 : virtual.getTotalSize() - last.end} />
      </Table>
    </div>
  );
}

/** Holds the place of the rows that are out of sight. */
function Spacer({ px }: { readonly px: number }) {
  if (px <= 0) return null;
  return (
    <tbody className={styles.spacer} aria-hidden="true">
      <tr>
        <td style={{ height: px }} />
      </tr>
    </tbody>
  );
}

function targetOf(key: string, from: number, count: number): number | undefined {
  const targets: { readonly [key: string]: number | undefined } = {
    ArrowDown: from + 1,
    ArrowUp: from - 1,
    PageDown: from + PAGE_ROWS,
    PageUp: from - PAGE_ROWS,
    Home: 0,
    End: count - 1,
  };
  const target = targets[key];
  return target === undefined ? undefined : Math.max(0, Math.min(count - 1, target));
}
