// SPDX-License-Identifier: Apache-2.0
import { Table, type TableProps, type TableThProps } from '@mantine/core';
import type { ReactNode } from 'react';

/** What stands above a column: a text, a cell with properties of its own, or nothing where the column is left out. */
type Heading = string | false | (TableThProps & { readonly label?: ReactNode });

/** Above the buttons of each row. */
export const ACTIONS = { 'aria-label': 'Actions' } as const;

/** Above figures. */
export function right(label: string) {
  return { label, ta: 'right' } as const;
}

type DataTableProps = TableProps & {
  readonly headings: readonly Heading[];
  /** What it is, above a table that stands among others. */
  readonly caption?: string;
  /** Where there is less room, the table scrolls sideways. */
  readonly minWidth?: number;
  /** A longer table scrolls. */
  readonly maxHeight?: number | string;
};

/** A table: its headings, and its rows as `Table.Tr`. */
export function DataTable({ headings, caption, minWidth, maxHeight, children, ...props }: DataTableProps) {
  const table = (
    <Table {...(caption !== undefined && { captionSide: 'top', verticalSpacing: 4 })} {...props}>
      {caption !== undefined && (
        <Table.Caption ta="left" mt={0}>
          {caption}
        </Table.Caption>
      )}
      <Table.Thead>
        <Table.Tr>
          {headings.map((heading, place) => {
            if (heading === false) return null;
            const { label, ...cell } = typeof heading === 'string' ? { label: heading } : heading;
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns keep their places
              <Table.Th key={place} {...cell}>
                {label}
              </Table.Th>
            );
          })}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>{children}</Table.Tbody>
    </Table>
  );
  if (minWidth === undefined) return table;
  return (
    <Table.ScrollContainer minWidth={minWidth} {...(maxHeight !== undefined && { maxHeight })}>
      {table}
    </Table.ScrollContainer>
  );
}
