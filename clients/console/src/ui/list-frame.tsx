// SPDX-License-Identifier: Apache-2.0
import { Skeleton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Dimmed } from './dimmed.tsx';
import { EmptyState } from './empty-state.tsx';
import { ErrorPanel } from './error-panel.tsx';
import { SettingsPart } from './section.tsx';

type ListFrameProps<Item> = {
  readonly query: Pick<UseQueryResult, 'isPending' | 'isError' | 'error'> & {
    readonly data: readonly Item[] | undefined;
    readonly refetch: () => unknown;
  };
  /** What could not be done, to follow "Could not". */
  readonly doing: string;
  /** Shown in place of an empty list. */
  readonly empty: ReactNode;
  readonly skeletonPx?: number;
  readonly children: (items: readonly Item[]) => ReactNode;
};

/** What a list shows while it is read, if it cannot be read, if it is empty, and otherwise. */
export function ListFrame<Item>({ query, doing, empty, skeletonPx = 120, children }: ListFrameProps<Item>) {
  return (
    <>
      {query.isPending && <Skeleton height={skeletonPx} />}
      {query.isError && <ErrorPanel error={query.error} doing={doing} onRetry={() => void query.refetch()} />}
      {query.data?.length === 0 && !query.isError && empty}
      {query.data !== undefined && query.data.length > 0 && children(query.data)}
    </>
  );
}

type ListPartProps<Item> = Omit<ListFrameProps<Item>, 'empty'> & {
  readonly title: string;
  /** What it is for, in a sentence. */
  readonly purpose: ReactNode;
  /** The button that makes an item: beside the heading, or in place of an empty list. */
  readonly create?: ReactNode;
  readonly empty: { readonly title: string; readonly text?: ReactNode };
  /** Why the list cannot be changed. */
  readonly refusal?: string | undefined;
  /** What the list is narrowed by. */
  readonly filters?: ReactNode;
  /** Dialogs. */
  readonly after?: ReactNode;
};

/** A list as a part of the settings. */
export function ListPart<Item>({ title, purpose, create, empty, refusal, filters, after, ...frame }: ListPartProps<Item>) {
  const hasItems = frame.query.data !== undefined && frame.query.data.length > 0;
  return (
    <SettingsPart title={title} purpose={purpose} actions={hasItems && create}>
      {refusal !== undefined && <Dimmed>{refusal}</Dimmed>}
      {filters}
      <ListFrame
        {...frame}
        empty={
          <EmptyState title={empty.title} action={create}>
            {empty.text}
          </EmptyState>
        }
      />
      {after}
    </SettingsPart>
  );
}
