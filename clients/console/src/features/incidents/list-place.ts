// SPDX-License-Identifier: Apache-2.0
/** Where one was in the list when one left it, for the way back. It is kept for each step of the browser's history, the newest ones. */
const KEPT = 50;

export type ListPlace = { readonly offsetPx: number; readonly row: number | undefined };

const places = new Map<string, ListPlace>();

export function keepPlace(step: string, place: ListPlace): void {
  places.delete(step);
  places.set(step, place);
  const [oldest] = places.keys();
  if (places.size > KEPT && oldest !== undefined) places.delete(oldest);
}

export function placeOf(step: string): ListPlace | undefined {
  return places.get(step);
}
