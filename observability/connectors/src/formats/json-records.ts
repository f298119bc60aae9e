// SPDX-License-Identifier: Apache-2.0
/** Objects of a sample of JSON text: newline-delimited, one after the other, or the elements of one array. */
import { parseJson } from '@sextant/foundation-std';
import type { Column } from '../connector.ts';
import { typeOfValues } from './column-type.ts';
import { columnOf } from './delimited.ts';

const RECORDS_MAX = 1000;

/** Whole objects of a text that may be cut; what is no JSON is left out, as a broken row is. */
export function jsonRecords(sample: string): readonly { readonly [field: string]: unknown }[] {
  const records: { readonly [field: string]: unknown }[] = [];
  let depth = 0;
  let start = 0;
  let isInString = false;
  for (let index = 0; index < sample.length && records.length < RECORDS_MAX; index += 1) {
    const character = sample[index];
    if (isInString) {
      if (character === '\\') index += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = depth > 0;
    else if (character === '{') {
      if (depth === 0) start = index;
      depth += 1;
    } else if (character === '}' && depth > 0) {
      depth -= 1;
      if (depth === 0) records.push(...parsedObject(sample.slice(start, index + 1)));
    }
  }
  return records;
}

function parsedObject(text: string): readonly { readonly [field: string]: unknown }[] {
  try {
    // The text begins with a brace, so what it parses to is an object.
    return [parseJson(text) as { readonly [field: string]: unknown }];
  } catch {
    return [];
  }
}

/** The fields of all records, in the order in which they appear first. */
export function jsonColumns(records: readonly { readonly [field: string]: unknown }[]): readonly Column[] {
  const names = new Set(records.flatMap((record) => Object.keys(record)));
  return [...names].map((name) => columnOf(name, typeOfValues(records.map((record) => record[name]))));
}

/** Deeper ones are part of a record. */
const PATH_MEMBERS_MAX = 3;

/** The member that leads to the only array of objects in a document that is one object, such as `result.items`; undefined where there is none. */
export function recordsPath(sample: string): string | undefined {
  const found = new Set<string>();
  const path: string[] = [];
  let name = '';
  let arrays = 0;
  for (let index = 0; index < sample.length; index += 1) {
    const character = sample[index];
    if (character === '"') {
      const start = index;
      for (index += 1; index < sample.length && sample[index] !== '"'; index += 1) if (sample[index] === '\\') index += 1;
      if (/^\s*:/.test(sample.slice(index + 1, index + 20))) name = sample.slice(start + 1, index);
    } else if (character === '[') {
      if (arrays === 0 && path.length <= PATH_MEMBERS_MAX && /^\s*\{/.test(sample.slice(index + 1, index + 1000))) {
        found.add([...path.slice(1), name].join('.'));
      }
      arrays += 1;
    } else if (character === ']') arrays -= 1;
    else if (arrays > 0) continue;
    else if (character === '{') path.push(name);
    else if (character === '}') path.pop();
  }
  const [only] = found;
  return found.size === 1 && only !== '' ? only : undefined;
}

/** What of a sample follows the members of a path. */
export function afterPath(sample: string, path: string): string {
  let at = 0;
  for (const member of path.split('.')) at = Math.max(at, sample.indexOf(JSON.stringify(member), at));
  return sample.slice(Math.max(at, sample.indexOf('[', at)));
}
