// SPDX-License-Identifier: Apache-2.0
/** Loads the films of `vega-datasets` (data/movies.json) into a running service: what is written about each as text, its figures as a dense vector. */
import { readFile } from 'node:fs/promises';
import { type PointStruct, VectorClient } from '@sextant/sdk';

type Film = { readonly Title: string | number | null; readonly [column: string]: string | number | null };

/** What a film is compared by: when it came, how long it is, how it was liked, what it cost and earned. */
const FIGURES: readonly ((film: Film) => number | undefined)[] = [
  (film) => number(new Date(String(film['Release Date'])).getUTCFullYear()),
  (film) => number(film['Running Time min']),
  (film) => number(film['IMDB Rating']),
  (film) => number(film['Rotten Tomatoes Rating']),
  (film) => number(Math.log10(Number(film['US Gross']) || Number.NaN)),
  (film) => number(Math.log10(Number(film['Production Budget']) || Number.NaN)),
];
const WRITTEN = ['Title', 'Major Genre', 'Creative Type', 'Source', 'Director', 'Distributor'] as const;

function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Each figure in standard deviations from its mean; 0 where it is not known. */
function standardised(films: readonly Film[]): readonly (readonly number[])[] {
  const columns = FIGURES.map((figureOf) => {
    const figures = films.map(figureOf);
    const known = figures.filter((figure) => figure !== undefined);
    const mean = known.reduce((sum, figure) => sum + figure, 0) / known.length;
    const deviation = Math.sqrt(known.reduce((sum, figure) => sum + (figure - mean) ** 2, 0) / known.length);
    return figures.map((figure) => (figure === undefined ? 0 : (figure - mean) / deviation));
  });
  return films.map((_, film) => columns.map((column) => column[film] ?? 0));
}

async function loadFilms(url: string): Promise<number> {
  // The package's entry lies in its folder `build`, beside `data`.
  const file = new URL('../data/movies.json', import.meta.resolve('vega-datasets'));
  const films = (JSON.parse(await readFile(file, 'utf8')) as readonly Film[]).filter(({ Title: title }) => title !== null);
  const figures = standardised(films);
  const points = films.map((film, id): PointStruct => {
    const text = WRITTEN.map((column) => film[column] ?? '').join('. ');
    const payload = { title: String(film.Title), genre: film['Major Genre'] ?? null, director: film.Director ?? null };
    return { id, vector: { figures: figures[id] ?? [], words: { text, model: 'Qdrant/bm25', options: { avg_len: 8 } } }, payload };
  });
  const client = new VectorClient({ url });
  const { pointsStored } = await client.collection('films').upsertAll(points);
  return pointsStored;
}

if (import.meta.main) {
  const [url = 'http://127.0.0.1:6573'] = process.argv.slice(2);
  console.log(`${await loadFilms(url)} films`);
}
