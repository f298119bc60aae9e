// SPDX-License-Identifier: Apache-2.0
/** Which colour each point has, by a key of its payload. */
import type { JsonObject, JsonValue } from '@sextant/sdk';
import { jsonText } from '../../ui/json.ts';

/** Okabe and Ito's, which people with any kind of colour vision tell apart (jfly.uni-koeln.de/color), and hues between them. */
const CATEGORY_COLOURS = ['#0072b2', '#e69f00', '#009e73', '#d55e00', '#cc79a7', '#56b4e9', '#b8a800', '#7a6bc4', '#a0694f', '#2a9d99'];
/** What has no value, or shares a colour with others. */
const REST_COLOUR = '#8f8f8f';
/** From viridis, which is even to the eye (S. van der Walt and N. Smith, 2015), without the end that is too near to the background. */
const SCALES = {
  light: ['#440154', '#472d7b', '#3b528b', '#2c728e', '#21918c', '#28ae80', '#5ec962', '#a5c91e'],
  dark: ['#5a5fae', '#3f7fb0', '#2c99a0', '#21ad8c', '#42c071', '#7ad151', '#bddf26', '#fde725'],
} as const;
const NUMBERS_MIN = CATEGORY_COLOURS.length;

export type Scheme = keyof typeof SCALES;

export type LegendEntry = { readonly label: string; readonly colour: string; readonly count: number };

export type Colouring = {
  readonly colours: readonly string[];
  /** For each point the place of its colour. */
  readonly places: Uint8Array;
  /** A scale runs from low to high; categories are in the order of their names. One entry for each colour. */
  readonly legend: readonly LegendEntry[];
  readonly isScale: boolean;
};

/** No key is chosen. */
export function plainColouring(count: number, scheme: Scheme): Colouring {
  return { colours: [scheme === 'light' ? '#346db2' : '#6596d1'], places: new Uint8Array(count), legend: [], isScale: false };
}

/** Keys at the top of payloads with values that can be told apart. */
export function colourKeys(payloads: readonly (JsonObject | undefined)[]): readonly string[] {
  const keys = new Set<string>();
  for (const payload of payloads) for (const [key, value] of Object.entries(payload ?? {})) if (isScalar(value)) keys.add(key);
  return [...keys].sort();
}

export function colourBy(payloads: readonly (JsonObject | undefined)[], key: string, scheme: Scheme): Colouring {
  const values = payloads.map((payload) => payload?.[key] ?? undefined);
  const present = values.filter((value) => value !== undefined);
  const numbers = present.flatMap((value) => (typeof value === 'number' || typeof value === 'bigint' ? [Number(value)] : []));
  const isScale = numbers.length === present.length && new Set(numbers).size > NUMBERS_MIN;
  return isScale ? byScale(values, numbers, SCALES[scheme]) : byCategory(values);
}

/** As many numbers on each part of the scale. */
function byScale(values: readonly (JsonValue | undefined)[], numbers: readonly number[], scale: readonly string[]): Colouring {
  const sorted = numbers.toSorted((a, b) => a - b);
  const bounds = scale.map((_, part) => sorted[Math.min(sorted.length - 1, Math.floor((part * sorted.length) / scale.length))] ?? 0);
  const highest = sorted.at(-1) ?? 0;
  const places = Uint8Array.from(values, (value) => {
    if (value === undefined) return scale.length;
    const number = Number(value);
    return Math.max(
      0,
      bounds.findLastIndex((bound) => number >= bound),
    );
  });
  const counts = countsOf(places);
  const legend = scale.map((colour, part) => ({
    colour,
    label: `${figure(bounds[part] ?? 0)} to ${figure(bounds[part + 1] ?? highest)}`,
    count: counts.get(part) ?? 0,
  }));
  const missing = counts.get(scale.length) ?? 0;
  return {
    colours: [...scale, REST_COLOUR],
    places,
    legend: missing === 0 ? legend : [...legend, { colour: REST_COLOUR, label: 'missing', count: missing }],
    isScale: true,
  };
}

/** The most frequent values have a colour each; the others share the last one, with those that have none. */
function byCategory(values: readonly (JsonValue | undefined)[]): Colouring {
  const texts = values.map((value) => (value === undefined ? undefined : typeof value === 'string' ? value : jsonText(value)));
  const counts = new Map<string, number>();
  for (const text of texts) if (text !== undefined) counts.set(text, (counts.get(text) ?? 0) + 1);
  const frequent = [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, CATEGORY_COLOURS.length)
    .map(([text]) => text)
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  const rest = frequent.length;
  const placeOf = new Map(frequent.map((text, place) => [text, place]));
  const places = Uint8Array.from(texts, (text) => (text === undefined ? rest : (placeOf.get(text) ?? rest)));
  const colours = [...CATEGORY_COLOURS.slice(0, rest), REST_COLOUR];
  const missing = texts.filter((text) => text === undefined).length;
  const others = counts.size - frequent.length;
  const restLabel = [...(others > 0 ? [`${others} others`] : []), ...(missing > 0 ? ['missing'] : [])].join(', ');
  const byPlace = countsOf(places);
  const labels = restLabel === '' ? frequent : [...frequent, restLabel];
  return {
    colours,
    places,
    legend: labels.map((label, place) => ({ label, colour: colours[place] ?? REST_COLOUR, count: byPlace.get(place) ?? 0 })),
    isScale: false,
  };
}

function countsOf(places: Uint8Array): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const place of places) counts.set(place, (counts.get(place) ?? 0) + 1);
  return counts;
}

function figure(value: number): string {
  return new Intl.NumberFormat('en', { maximumSignificantDigits: 4, useGrouping: 'min2' }).format(value);
}

function isScalar(value: JsonValue | undefined): boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}
