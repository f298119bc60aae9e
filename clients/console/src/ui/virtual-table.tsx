// SPDX-License-Identifier: Apache-2.0
import { Table, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import styles from './virtual-table.module.css';

const ROW_PX = 36;
const OVERSCAN = 10;
const PAGE_ROWS = 15;

export type VirtualColumn<Sort extends string> = {
  readonly sort: Sort;
  readonly label: string;
  readonly width?: number;
  readonly visibleFrom?: 'sm' | 'md' | 'lg';
};

/** The place of a row, which its content passes on to `VirtualRow` and to its links. */
export type RowPlace = {
  readonly index: number;
  /** Whether Tab leads here. */
  readonly isReachable: boolean;
  /** Always the same function, or every row is rendered again at every step of scrolling. */
  readonly onActive: (index: number) => void;
};

type VirtualTableProps<Row, Sort extends string> = {
  readonly label: string;
  readonly columns: readonly VirtualColumn<Sort>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly children: (row: Row, place: RowPlace, key: string) => ReactNode;
  readonly sort: Sort;
  readonly isDescending: boolean;
  readonly onSort: (sort: Sort) => void;
  /** A last column for what can be done with a row. */
  readonly hasActions?: boolean;
};

/** Only the rows in sight are in the page, so a thousand scroll as ten do. One row is in the order of Tab; the arrows go to the others. */
export function VirtualTable<Row, Sort extends string>(props: VirtualTableProps<Row, Sort>) {
  const { label, columns, rows, keyOf, children, sort, isDescending, onSort, hasActions = false } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const wanted = useRef<number>(undefined);
  const keyAt = (index: number) => {
    const row = rows[index];
    return row === undefined ? String(index) : keyOf(row);
  };
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    getItemKey: keyAt,
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
      <Table stickyHeader highlightOnHover layout="fixed" aria-rowcount={rows.length + 1} aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th
                key={column.sort}
                {...(column.width !== undefined && { w: column.width })}
                {...(column.visibleFrom !== undefined && { visibleFrom: column.visibleFrom })}
                aria-sort={column.sort !== sort ? 'none' : isDescending ? 'descending' : 'ascending'}
              >
                <UnstyledButton
                  fz="sm"
                  fw={600}
                  onClick={() => onSort(column.sort)}
                  style={{ display: 'flex', alignItems: 'center', gap: 4 }}
                >
                  {column.label}
                  {column.sort === sort && (isDescending ? <IconChevronDown size={14} /> : <IconChevronUp size={14} />)}
                </UnstyledButton>
              </Table.Th>
            ))}
            {hasActions && <Table.Th w={44} aria-label="Actions" />}
          </Table.Tr>
        </Table.Thead>
        <Spacer px={first?.start ?? 0} />
        <Table.Tbody onKeyDown={move}>
          {items.map(({ index }) => {
            const row = rows[index];
            return row === undefined ? null : children(row, { index, isReachable: index === reachable, onActive: setActive }, keyOf(row));
          })}
        </Table.Tbody>
        <Spacer px={last === undefined ? 0 : virtual.getTotalSize() - last.end} />
      </Table>
    </div>
  );
}

type VirtualRowProps = Pick<RowPlace, 'index' | 'onActive'> & { readonly children: ReactNode };

/** Its cells are plain elements, as scrolling makes hundreds of rows a second. */
export function VirtualRow({ index, onActive, children }: VirtualRowProps) {
  return (
    <Table.Tr data-index={index} aria-rowindex={index + 2} className={styles.row ?? ''} onFocus={() => onActive(index)}>
      {children}
    </Table.Tr>
  );
}

/** Stands where a row has nothing to say. */
export function NoValue({ children = '–' }: { readonly children?: string }) {
  return <span className={styles.none}>{children}</span>;
}

/** The cell of the last column, in which buttons are not cut off. */
export function ActionsCell({ children }: { readonly children: ReactNode }) {
  return <td className={styles.actions}>{children}</td>;
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
