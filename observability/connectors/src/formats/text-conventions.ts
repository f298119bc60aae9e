// SPDX-License-Identifier: Apache-2.0
/** Finds what words, commas and dates mean in the columns of a sample. What would change the meaning of another column is not taken up. */
import { DATE_FORMATS, type Reading } from '@sextant/contracts-observability';
import { isDate, type TextConventions, typeOfTexts } from './column-type.ts';

/** Words for no value that tools write; in a column of texts they may be values. */
const NULL_WORDS = ['NULL', 'null', '\\N', 'NA', 'N/A', 'n/a', '#N/A', 'NaN', 'nan', 'None', 'none', '-', '?'] as const;
const DECIMAL_COMMA = /^-?\d+,\d+$/;
/** 1,234 is a thousand in some places. */
const THOUSANDS = /^-?\d{1,3}(,\d{3})+$/;

/** What is given is not looked for. */
export function sniffConventions(columns: readonly (readonly string[])[], given: Partial<Reading>): TextConventions {
  const values = columns.map((column) => column.filter((text) => text !== ''));
  const null_words = given.null_words ?? nullWords(values);
  const plain = values.map((column) => column.filter((text) => !null_words.includes(text)));
  return {
    null_words,
    decimal_separator: given.decimal_separator ?? decimalSeparator(plain),
    date_format: given.date_format ?? dateFormat(plain),
  };
}

/** Whether a tool may have written it for no value. */
export function isNullWord(text: string): boolean {
  return NULL_WORDS.some((word) => word === text.trim());
}

/** Words without which a column has a type, and which no column of text holds. */
function nullWords(columns: readonly (readonly string[])[]): string[] {
  const typed = new Set<string>();
  const texts = new Set<string>();
  for (const column of columns) {
    const words = NULL_WORDS.filter((word) => column.includes(word));
    if (words.length === 0) continue;
    const others = column.filter((text) => !words.some((word) => word === text));
    const isTyped = others.length > 0 && typeOfTexts(others) !== 'STRING';
    for (const word of words) (isTyped ? typed : texts).add(word);
  }
  return [...typed].filter((word) => !texts.has(word));
}

function decimalSeparator(columns: readonly (readonly string[])[]): '.' | ',' {
  const hasPoint = columns.some((column) => typeOfTexts(column) === 'DECIMAL');
  const isComma = (column: readonly string[]): boolean =>
    column.some((text) => DECIMAL_COMMA.test(text) && !THOUSANDS.test(text)) && typeWithComma(column) === 'DECIMAL';
  return !hasPoint && columns.some(isComma) ? ',' : '.';
}

function typeWithComma(column: readonly string[]): string {
  return typeOfTexts(column, { null_words: [], decimal_separator: ',', date_format: '%Y-%m-%d' });
}

/** The one format that fits a column; days and months that could be exchanged are not told apart, and stay text. */
function dateFormat(columns: readonly (readonly string[])[]): TextConventions['date_format'] {
  for (const column of columns) {
    if (column.every((text) => isDate(text.trim(), '%Y-%m-%d'))) continue;
    const fitting = DATE_FORMATS.filter((format) => column.every((text) => isDate(text.trim(), format)));
    const [only] = fitting;
    if (only !== undefined && fitting.length === 1) return only;
  }
  return '%Y-%m-%d';
}
