// SPDX-License-Identifier: Apache-2.0
/** How the text of files becomes rows: found once, stored with the asset, shown, and changed by people. */
import { oneOf, type Static, strict } from '@sextant/foundation-contract';
import Type from 'typebox';
import { mapOf, text } from './value-schemas.ts';

/** Labels of the WHATWG standard; a byte order mark goes before what is said here. */
const ENCODINGS = [
  'UTF-8',
  'UTF-16LE',
  'UTF-16BE',
  'WINDOWS-1250',
  'WINDOWS-1251',
  'WINDOWS-1252',
  'WINDOWS-1253',
  'WINDOWS-1254',
  'WINDOWS-1257',
  'ISO-8859-1',
  'ISO-8859-2',
  'SHIFT_JIS',
  'EUC-JP',
  'EUC-KR',
  'BIG5',
  'GBK',
] as const;

/** As strptime writes them. */
export const DATE_FORMATS = ['%Y-%m-%d', '%Y/%m/%d', '%d.%m.%Y', '%d/%m/%Y', '%d-%m-%Y', '%m/%d/%Y', '%m-%d-%Y'] as const;

const optionalCharacter = Type.String({
  pattern: '^[\\u0001-\\u0009\\u000b\\u000c\\u000e-\\u007f]?$',
  'x-expected': 'one ASCII character, or nothing',
});

export const readingSchema = Type.Partial(
  strict({
    encoding: oneOf(...ENCODINGS),
    separator: Type.String({ pattern: '^[^\\n\\r"]$', 'x-expected': 'one character that is neither a quote nor a line break' }),
    /** Around a value; nothing where none is quoted. */
    quote: optionalCharacter,
    /** Before a quote within a quoted value; a quote where quotes are doubled. */
    escape: optionalCharacter,
    /** Whether the first line that is read names the columns. */
    header: Type.Boolean(),
    /** Lines before the header or the first row. */
    skip: Type.Integer({ minimum: 0, maximum: 10_000 }),
    /** Starts a comment, also behind values; nothing where there are none. */
    comment: optionalCharacter,
    /** Unquoted words that are no value, besides none at all. */
    null_words: Type.Array(text, { maxItems: 100 }),
    decimal_separator: oneOf('.', ','),
    date_format: oneOf(...DATE_FORMATS),
    /** Members that lead to the array of records in a JSON document, with dots between them; nothing where the document is the records. */
    records_path: text,
    /** Of an Excel workbook, the one that is read. */
    sheet: text,
    /** Types that people chose; all other columns keep the type that the first scan found. */
    types: mapOf(oneOf('STRING', 'INTEGER', 'DECIMAL', 'BOOLEAN', 'DATE', 'TIMESTAMP'), 10_000),
  }),
  {
    title: 'Reading',
    description:
      'How text files are read. Absent members are detected in the file and stored; replace the whole object, or send null to detect all members again.',
    additionalProperties: false,
  },
);
export type Reading = Static<typeof readingSchema>;
export type Encoding = NonNullable<Reading['encoding']>;
