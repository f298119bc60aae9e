/** Which colour each point has, by a key of its payload. */

import type { JsonObject, JsonValue } from '@sextant/sdk';
import { jsonText } from '../../ui/json.ts';

/** Okabe and Ito's, which people with any kind of colour vision tell apart (jfly.uni-koeln.de/color), and then greys. */
const CATEGORY_COLOURS = [
  '#0072b2',
  '#e69f00',
  '#009e73',
  '#d55e00',
  '#cc79a7',
  '#56b4e9',
  '#b8a800',
  '#5e4fa2',
  '#8c564b',
  '#17807e',
  '#999999',
];
/** From viridis, which is even to the eye (S. van der Walt and N. Smith, 2015). */
const SCALE_COLOURS = ['#440154', '#46327e', '#365c8d', '#277f8e', '#1fa187', '#4ac16d', '#a0da39', '#fde725'];
const CATEGORIES_MAX = CATEGORY_COLOURS.length - 1;

export type Legend = readonly { readonly label: string; readonly colour: string }[];

export type Colouring = {
  readonly colours: readonly string[];
  /** For each point the place of its colour. */
  readonly places: Uint8Array;
  readonly legend: Legend;
};

export const PLAIN: Colouring = { colours: ['#4380c9'], places: new Uint8Array(), legend: [] };

/** Keys at the top of payloads with values that can be told apart. */
export function colourKeys(payloads: readonly (JsonObject | undefined)[]): readonly string[] {
  const keys = new Set<string>();
  for (const payload of payloads) for (const [key, value] of Object.entries(payload ?? {})) if (isScalar(value)) keys.add(key);
  return [...keys].sort();
}

export function colourBy(payloads: readonly (JsonObject | undefined)[], key: string): Colouring {
  const values = payloads.map((payload) => payload?.[key]);
  const distinct = new Set(values);
  const numbers = values.filter((value) => typeof value === 'number');
  return numbers.length === values.length && distinct.size > CATEGORIES_MAX ? byScale(numbers) : byCategory(values);
}

function byScale(values: readonly number[]): Colouring {
  const sorted = values.toSorted((a, b) => a - b);
  const boundAt = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor((part * sorted.length) / SCALE_COLOURS.length))] ?? 0;
  const bounds = SCALE_COLOURS.map((_, part) => boundAt(part));
  const places = Uint8Array.from(values, (value) =>
    Math.max(
      0,
      bounds.findLastIndex((bound) => value >= bound),
    ),
  );
  return { colours: SCALE_COLOURS, places, legend: SCALE_COLOURS.map((colour, part) => ({ colour, label: `from ${bounds[part]}` })) };
}

/** The most frequent values have a colour each; the others share the last one. */
function byCategory(values: readonly (JsonValue | undefined)[]): Colouring {
  const counts = new Map<string, number>();
  const texts = values.map((value) => (value === undefined ? 'missing' : typeof value === 'string' ? value : jsonText(value)));
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const frequent = [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, CATEGORIES_MAX)
    .map(([text]) => text)
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  const placeOf = new Map(frequent.map((text, place) => [text, place]));
  const places = Uint8Array.from(texts, (text) => placeOf.get(text) ?? CATEGORIES_MAX);
  const labels = counts.size > frequent.length ? [...frequent, 'others'] : frequent;
  return {
    colours: CATEGORY_COLOURS,
    places,
    legend: labels.map((label, place) => ({ label, colour: CATEGORY_COLOURS[label === 'others' ? CATEGORIES_MAX : place] ?? '#999999' })),
  };
}

function isScalar(value: JsonValue | undefined): boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}
