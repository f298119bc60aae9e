// SPDX-License-Identifier: Apache-2.0
/** Clean tables: public ones that the npm package `vega-datasets` ships, and generated ones with the dependencies that real registers have. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Random, seededRandom } from '@sextant/foundation-std';
import { oneOf } from './faults.ts';
import { parseCsv, type TextTable } from './text-table.ts';

const ROWS_MAX = 2_500;
const SEED = 20_260_101;

const FILES = [
  'zipcodes.csv',
  'airports.csv',
  'birdstrikes.csv',
  'weather.csv',
  'species.csv',
  'us-employment.csv',
  'cars.json',
  'penguins.json',
  'jobs.json',
  'movies.json',
  'football.json',
  'la-riots.csv',
  'income.json',
];

export async function cleanTables(): Promise<readonly TextTable[]> {
  return [
    ...(await Promise.all(FILES.map(readTable))),
    orders(seededRandom(SEED)),
    listings(seededRandom(SEED)),
    staff(seededRandom(SEED)),
  ];
}

async function readTable(file: string): Promise<TextTable> {
  const path = join(dirname(fileURLToPath(import.meta.resolve('vega-datasets'))), '../data', file);
  const text = await readFile(path, 'utf8');
  const [columns = [], ...rows] = file.endsWith('.csv') ? parseCsv(text) : recordsOf(JSON.parse(text));
  const every = Math.max(1, Math.floor(rows.length / ROWS_MAX));
  // Neighbours belong together in most of these files: blocks of rows keep what repeats.
  const kept = rows.filter((_, index) => Math.floor(index / 50) % every === 0).slice(0, ROWS_MAX);
  return { name: file.replace(/\.\w+$/, ''), columns, rows: kept };
}

function recordsOf(json: unknown): readonly (readonly string[])[] {
  if (!Array.isArray(json)) throw new Error('the file is no list of records');
  const records: readonly (readonly [string, unknown][])[] = json.map((record) => Object.entries(record));
  const columns = [...new Set(records.flatMap((record) => record.map(([name]) => name)))];
  return [columns, ...records.map((record) => columns.map((name) => textOf(record.find(([own]) => own === name)?.[1])))];
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : JSON.stringify(value);
}

const CITIES = [
  ['Hamburg', 'DE', 'Germany', '040'],
  ['Berlin', 'DE', 'Germany', '030'],
  ['Lyon', 'FR', 'France', '04'],
  ['Paris', 'FR', 'France', '01'],
  ['Bilbao', 'ES', 'Spain', '94'],
  ['Sevilla', 'ES', 'Spain', '95'],
  ['Torino', 'IT', 'Italy', '011'],
  ['Bologna', 'IT', 'Italy', '051'],
  ['Leeds', 'GB', 'United Kingdom', '0113'],
  ['Bristol', 'GB', 'United Kingdom', '0117'],
  ['Gdansk', 'PL', 'Poland', '58'],
  ['Krakow', 'PL', 'Poland', '12'],
] as const;
const PRODUCTS = [
  'desk lamp',
  'side table',
  'bookshelf',
  'office chair',
  'filing cabinet',
  'whiteboard',
  'notebook',
  'fountain pen',
  'paper tray',
  'monitor stand',
];
const NAMES = [
  'Anders',
  'Beatriz',
  'Chiara',
  'Dmitri',
  'Elena',
  'Farid',
  'Greta',
  'Henrik',
  'Ines',
  'Jonas',
  'Katarina',
  'Lukas',
  'Marta',
  'Nikolai',
  'Olga',
  'Pedro',
];

/** Orders: amounts that multiply, dates in order, codes and names that belong together. */
function orders(random: Random): TextTable {
  const rows = Array.from({ length: 2_000 }, (_, index) => {
    const product = random.integer(PRODUCTS.length);
    const [city, code, country] = oneOf(CITIES, random);
    const quantity = 1 + random.integer(20);
    const price = 5 + product * 12.5;
    const day = random.integer(700);
    return [
      `SO-${String(100_001 + index)}`,
      `P${String(product + 1).padStart(3, '0')}`,
      PRODUCTS[product] ?? '',
      String(quantity),
      price.toFixed(2),
      (quantity * price).toFixed(2),
      isoDay(day),
      isoDay(day + 1 + random.integer(9)),
      city,
      code,
      country,
    ];
  });
  return {
    name: 'orders',
    columns: [
      'order',
      'product_code',
      'product',
      'quantity',
      'unit_price',
      'total',
      'ordered',
      'shipped',
      'city',
      'country_code',
      'country',
    ],
    rows,
  };
}

/** One event as several sites list it; each listing repeats what the others say. */
function listings(random: Random): TextTable {
  const events = Array.from({ length: 120 }, (_, index) => {
    const hour = random.integer(24);
    const at = random.integer(12) * 5;
    return [
      `EV-${1000 + index * 7}`,
      oneOf(CITIES, random)[0],
      `${oneOf(NAMES, random)} Quartet ${index % 9}`,
      isoDay(random.integer(300)),
      clock(hour, at),
      clock(hour + 2, at),
      String(10 + random.integer(60)),
    ];
  });
  const sites = Array.from({ length: 18 }, (_, index) => `site-${index + 1}`);
  const rows = events.flatMap((event) => sites.filter(() => random.next() < 0.9).map((site) => [site, ...event]));
  return { name: 'listings', columns: ['site', 'event', 'city', 'title', 'day', 'opens', 'closes', 'price'], rows };
}

/** People of departments: addresses, telephones, dates and optional members. */
function staff(random: Random): TextTable {
  const rows = Array.from({ length: 1_500 }, (_, index) => {
    const [city, code, country, prefix] = oneOf(CITIES, random);
    const name = `${oneOf(NAMES, random)} ${oneOf(NAMES, random)}sen`;
    const salary = 30_000 + random.integer(60_000);
    return [
      String(5000 + index),
      name,
      `${name.toLowerCase().replace(' ', '.')}@example.com`,
      `+${10 + CITIES.findIndex(([own]) => own === city)} ${prefix} ${1_000_000 + random.integer(8_999_999)}`,
      city,
      code,
      country,
      isoDay(random.integer(3_000)),
      String(salary),
      String(Math.round(salary * 0.2)),
      random.next() < 0.3 ? oneOf(NAMES, random) : '',
    ];
  });
  return {
    name: 'staff',
    columns: ['id', 'name', 'email', 'phone', 'city', 'country_code', 'country', 'hired', 'salary', 'tax', 'mentor'],
    rows,
  };
}

function isoDay(day: number): string {
  return new Date(Date.UTC(2022, 0, 1 + day)).toISOString().slice(0, 10);
}

function clock(hour: number, minute: number): string {
  return `${String(hour % 24).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}
