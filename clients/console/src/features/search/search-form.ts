// SPDX-License-Identifier: Apache-2.0
/** What the playground asks, as it is filled in, and the request that this makes. */
import { parseJson } from '@sextant/foundation-std';
import type { Filter, PointId, Query, QueryPoints } from '@sextant/sdk';
import type { VectorField } from '../../data/collections/queries.ts';
import { pointId } from '../../data/points/point-id.ts';

export type By = 'id' | 'text' | 'vector' | 'examples';

/** Fields as their inputs hold them. */
export type SearchForm = {
  readonly by: By;
  readonly using: string;
  readonly id: string;
  readonly text: string;
  /** Of the text: makes its vector. */
  readonly model: string;
  readonly numbers: string;
  readonly like: string;
  readonly unlike: string;
  readonly filter: string;
  readonly limit: number | string;
  readonly ef: number | string;
  readonly threshold: number | string;
  readonly isExact: boolean;
  readonly isCompared: boolean;
};

export const EMPTY_FORM: SearchForm = {
  by: 'id',
  using: '',
  id: '',
  text: '',
  model: '',
  numbers: '',
  like: '',
  unlike: '',
  filter: '',
  limit: 10,
  ef: '',
  threshold: '',
  isExact: false,
  isCompared: true,
};

/** What is wrong with a field of the form; it is shown at the field. */
export class FieldProblem extends Error {
  override readonly name = 'FieldProblem';
  readonly field: keyof SearchForm;

  constructor(field: keyof SearchForm, message: string) {
    super(message);
    this.field = field;
  }
}

/** Points that example payloads stand for. */
export type Examples = { readonly positive: readonly PointId[]; readonly negative: readonly PointId[] };

/** The body of the request. */
export function requestOf(form: SearchForm, field: VectorField, examples: Examples | undefined): QueryPoints {
  const filter = filterOf(form.filter);
  const params = form.isExact ? { exact: true } : form.ef === '' ? undefined : { hnsw_ef: Number(form.ef) };
  return {
    query: queryOf(form, field, examples),
    ...(field.name !== '' && { using: field.name }),
    ...(filter !== undefined && { filter }),
    ...(params !== undefined && { params }),
    ...(form.threshold !== '' && { score_threshold: Number(form.threshold) }),
    limit: Number(form.limit),
    with_payload: true,
  };
}

function queryOf({ by, id, text, model, numbers }: SearchForm, field: VectorField, examples: Examples | undefined): Query {
  switch (by) {
    case 'id':
      if (id.trim() === '') throw new FieldProblem('id', 'Which point?');
      return pointId(id);
    case 'text':
      if (text.trim() === '') throw new FieldProblem('text', 'Which text?');
      if (model.trim() === '') throw new FieldProblem('model', 'Enter the model that makes the vectors of this collection.');
      return { text, model: model.trim() };
    case 'vector':
      return vectorOf(numbers, field);
    case 'examples':
      return { recommend: { positive: examples?.positive ?? [], ...(examples?.negative.length && { negative: examples.negative }) } };
  }
}

/** Numbers of a dense vector need no brackets; sparse vectors and multivectors are JSON, which the service validates. */
function vectorOf(text: string, { kind, size }: VectorField): Query {
  if (kind !== 'dense') {
    const expected = kind === 'sparse' ? '{"indices": [1, 7], "values": [0.5, 0.2]}' : '[[0.1, 0.2, …], …]';
    const value = jsonOf('numbers', text);
    if (typeof value !== 'object' || value === null) throw new FieldProblem('numbers', `Expected ${expected}`);
    // The service says what is wrong with it.
    return value as Query;
  }
  const numbers = text
    .split(/[\s,[\]]+/)
    .filter((each) => each !== '')
    .map(Number);
  if (numbers.length === 0 || numbers.some((each) => !Number.isFinite(each)))
    throw new FieldProblem('numbers', 'Enter numbers separated by commas or spaces.');
  if (numbers.length !== size) throw new FieldProblem('numbers', `Enter ${size} numbers instead of ${numbers.length}.`);
  return numbers;
}

export function filterOf(text: string): Filter | undefined {
  if (text.trim() === '') return undefined;
  // The service validates it, and says what is wrong.
  return jsonOf('filter', text) as Filter;
}

/**
 * The filter that finds the points an example payload stands for: those that have the same value at each of its keys. A list stands for any of its
 * values, an object within for the keys below it.
 */
export function exampleFilter(text: string, field: 'like' | 'unlike'): Filter {
  const example = jsonOf(field, text);
  if (typeof example !== 'object' || example === null || Array.isArray(example) || Object.keys(example).length === 0)
    throw new FieldProblem(field, 'Enter a payload with at least one key, such as {"city": "Rome"}.');
  return { must: conditionsOf(example, '', field) };
}

type Conditions = Extract<NonNullable<Filter['must']>, readonly unknown[]>;

function conditionsOf(example: object, prefix: string, field: 'like' | 'unlike'): Conditions {
  return Object.entries(example).flatMap(([name, value]: [string, unknown]): Conditions => {
    const key = `${prefix}${name}`;
    if (isScalar(value))
      return [
        typeof value === 'number' && !Number.isInteger(value) ? { key, range: { gte: value, lte: value } } : { key, match: { value } },
      ];
    if (Array.isArray(value) && value.length > 0 && value.every(isMatchable)) {
      // All of one kind, or the service says so.
      return [{ key, match: { any: value as readonly string[] } }];
    }
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return conditionsOf(value, `${key}.`, field);
    throw new FieldProblem(field, `“${key}” must be a text, a number, true or false, or a list of texts or whole numbers.`);
  });
}

function isScalar(value: unknown): value is string | number | bigint | boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}

function isMatchable(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'bigint' || Number.isInteger(value);
}

function jsonOf(field: keyof SearchForm, text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw new FieldProblem(field, `This is not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A line that tells one search from another. */
export function summaryOf({ by, id, text, numbers, like, unlike, filter, using }: SearchForm): string {
  const what = {
    id: `point ${id.trim()}`,
    text: `“${oneLine(text).slice(0, 40)}”`,
    vector: `vector ${numbers.trim().slice(0, 24)}…`,
    examples: `like ${oneLine(like)}${unlike.trim() === '' ? '' : `, unlike ${oneLine(unlike)}`}`,
  }[by];
  return `${using === '' ? '' : `${using}: `}${what}${filter.trim() === '' ? '' : ` where ${oneLine(filter)}`}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
