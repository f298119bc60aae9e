// SPDX-License-Identifier: Apache-2.0
/** Rows of a sample of delimited text (RFC 4180 with any separator, quote and escape). */
import type { Reading } from '@sextant/contracts-observability';

export type Dialect = Required<Pick<Reading, 'separator' | 'quote' | 'escape'>>;

export type Row = {
  readonly fields: readonly string[];
  /** Lines of the text before it. */
  readonly line: number;
};

export type ParsedRows = {
  /** Blank lines are none. */
  readonly rows: readonly Row[];
  /** Quotes that were closed within a value, or never: signs of another quote or escape. */
  readonly faults: number;
  /** Whether some rows end with CR LF and others with LF. */
  readonly hasMixedEnds: boolean;
};

const ROWS_MAX = 5000;

/** A last row without its line end may be cut, and is left out unless it is the only one. */
export function parseRows(text: string, { separator, quote, escape: mark }: Dialect, rowsMax = ROWS_MAX): ParsedRows {
  const rows: Row[] = [];
  let fields: string[] = [];
  let field = '';
  let isQuoted = false;
  let isClosed = false;
  let faults = 0;
  let line = 0;
  let start = 0;
  const ends = new Set<string>();
  const endField = () => {
    fields.push(field);
    field = '';
    isClosed = false;
  };
  const endRow = () => {
    endField();
    if (fields.length > 1 || fields[0] !== '') rows.push({ fields, line: start });
    fields = [];
  };
  for (let index = 0; index < text.length && rows.length < rowsMax; index += 1) {
    const character = text[index] ?? '';
    const isLineEnd = character === '\n' || (character === '\r' && text[index + 1] !== '\n');
    if (isLineEnd) line += 1;
    if (isQuoted) {
      if (character === mark && (text[index + 1] === quote || text[index + 1] === mark) && (mark !== quote || text[index + 1] === quote)) {
        field += text[index + 1];
        index += 1;
      } else if (character === quote) {
        isQuoted = false;
        isClosed = true;
      } else field += character;
    } else if (isLineEnd) {
      ends.add(character === '\n' && text[index - 1] === '\r' ? '\r\n' : character);
      endRow();
      start = line;
    } else if (character === separator) endField();
    else if (character === quote && quote !== '' && field.trim() === '' && !isClosed) {
      field = '';
      isQuoted = true;
    } else if (character !== '\r') {
      if (isClosed && character !== ' ') faults += 1;
      if (!isClosed || character !== ' ') field += character;
    }
  }
  if (isQuoted) faults += 1;
  if (rows.length === 0) endRow();
  return { rows, faults, hasMixedEnds: ends.has('\n') && ends.has('\r\n') };
}
