// SPDX-License-Identifier: Apache-2.0
/** Keys of the list: arrows or j and k go from row to row, `/` goes to the search. Enter opens what is focused, as any link. */
import type { Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useRef } from 'react';

type RowKeysOptions = {
  readonly count: number;
  readonly rows: Virtualizer<HTMLDivElement, Element>;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly search: RefObject<HTMLInputElement | null>;
  /** Where one was before. */
  readonly initialRow: number | undefined;
};

const STEPS: Readonly<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

/** The row that has, or had, the focus; its caller notes where the focus goes. */
export function useRowKeys({ count, rows, scroller, search, initialRow }: RowKeysOptions): RefObject<number | undefined> {
  const active = useRef(initialRow);
  /** A row that has yet to be drawn. */
  const awaited = useRef<number>(undefined);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target, key } = event;
      if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
      const isSearch = target === search.current;
      if (key === '/' && !isTyping(target)) {
        event.preventDefault();
        search.current?.focus();
        search.current?.select();
        return;
      }
      const by = STEPS[key];
      // From the search, the arrow down leads into the list; other fields keep their keys.
      if (by === undefined || count === 0 || (isSearch ? key !== 'ArrowDown' : isTyping(target))) return;
      event.preventDefault();
      const from = active.current ?? (rows.range?.startIndex ?? 0) - 1;
      const to = isSearch && active.current === undefined ? 0 : Math.min(count - 1, Math.max(0, from + by));
      active.current = to;
      awaited.current = to;
      rows.scrollToIndex(to, { align: 'auto' });
      focusAwaited();
    };
    const focusAwaited = () => {
      if (awaited.current === undefined) return;
      const link = scroller.current?.querySelector<HTMLElement>(`[data-row="${awaited.current}"] a`);
      if (link == null) return;
      awaited.current = undefined;
      link.focus({ preventScroll: true });
    };
    focusAwaited();
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });
  return active;
}

/** Whether keys are the element's own: fields, lists of choices, dialogs, the drawer of a menu. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input, textarea, select, [contenteditable], [role=dialog], [role=listbox], [role=menu], [role=radiogroup]') !== null
  );
}
