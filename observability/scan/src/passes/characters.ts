// SPDX-License-Identifier: Apache-2.0
/**
 * What texts are made of: the patterns that letters, digits and spaces form, how many there are of each, and personal data. Each distinct
 * text is looked at once, and all counts follow from its pattern. Regular expressions over every text of a large table would still take longer
 * than all else together, so there a sample of the rows stands for them.
 */

import { percentage } from '../column-counts.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { Cell, Engine, Row } from '../engine/engine.ts';
import type { MeasuredColumn } from '../plan/columns.ts';
import { grouping, inOrder, type SegmentDimension, segmentOf } from '../plan/segments.ts';
import type { PointCollector } from '../points.ts';
import { rankedValues } from './frequencies.ts';

const PATTERNS_SHOWN = 10;
/** A longer pattern is shown cut. */
const SHOWN_CHARACTERS = 256;

const COUNTS = [
  { metric: 'LETTER_COUNT', sql: occurrences('L') },
  { metric: 'DIGIT_COUNT', sql: occurrences('D') },
  { metric: 'SPACE_COUNT', sql: occurrences('S') },
  { metric: 'SPECIAL_CHARACTER_COUNT', sql: `(${without('L')} + ${without('D')} + ${without('S')} - 2 * length(pattern))` },
] as const;
const AGGREGATIONS = ['min', 'max', 'mean'] as const;

export type CharacterOptions = {
  readonly columns: readonly MeasuredColumn[];
  readonly dimensions: readonly SegmentDimension[];
  readonly relation: string;
  /** A condition on a text of the column that says whether it holds personal data. */
  readonly personalData: (textSql: string, column: MeasuredColumn) => string;
};

export async function measureCharacters(engine: Engine, options: CharacterOptions, points: PointCollector): Promise<void> {
  for (const column of options.columns.filter(({ kind }) => kind === 'text')) {
    const rows = await engine.query(statement(column, options, engine.dialect));
    for (const row of inOrder(rows, 2)) receive(row, column.name, options.dimensions, points);
  }
}

/** A row for each segment: its index and position, the texts, those with personal data, counts, expanded and compressed patterns. */
function statement(column: MeasuredColumn, { dimensions, relation, personalData }: CharacterOptions, dialect: Dialect): string {
  const segments = dimensions.map((_, index) => `segment_${index}`);
  const { inner, key, groupBy } = grouping(dimensions);
  const [dimension, position] = key;
  const texts = `SELECT ${['v', ...segments, 'count(*) AS n'].join(', ')} FROM (SELECT ${[`${column.text} AS v`, ...inner].join(', ')} FROM ${relation}) AS r WHERE v IS NOT NULL GROUP BY ${['v', ...segments].join(', ')}`;
  const described = `SELECT ${[`${expandedPattern('v', dialect)} AS pattern`, `${personalData('v', column)} AS personal`, 'n', ...segments].join(', ')} FROM texts`;
  const expanded =
    `SELECT ${dimension} AS d, ${position} AS p, pattern, CAST(sum(n) AS bigint) AS n, CAST(coalesce(sum(n) FILTER (WHERE personal), 0) AS bigint) AS personal ` +
    `FROM described${groupBy(['pattern'])}`;
  const shown = { value: 'pattern', count: 'n', by: ['d', 'p'], limit: PATTERNS_SHOWN, shownCharacters: SHOWN_CHARACTERS };
  const first = dialect.mostFrequent({ ...shown, relation: 'expanded' });
  const second = dialect.mostFrequent({ ...shown, relation: 'compressed' });
  const counts = COUNTS.flatMap(({ sql }) => [`min(${sql})`, `max(${sql})`, `${dialect.castDouble(`sum(${sql} * n)`)} / sum(n)`]);
  return (
    `WITH texts AS (${texts}), described AS (${described}), expanded AS (${expanded}), ` +
    `compressed AS (SELECT d, p, ${compressedPattern('pattern', dialect)} AS pattern, CAST(sum(n) AS bigint) AS n FROM expanded GROUP BY 1, 2, 3), ` +
    `first AS (SELECT ${['d', 'p', 'CAST(sum(n) AS bigint) AS total', 'CAST(sum(personal) AS bigint) AS personal', ...counts.map((sql, index) => `${sql} AS c${index}`), `${first.list} AS patterns`].join(', ')} FROM ${first.relation} GROUP BY d, p), ` +
    `second AS (SELECT d, p, ${second.list} AS patterns FROM ${second.relation} GROUP BY d, p) ` +
    `SELECT first.*, second.patterns FROM first JOIN second ON first.d = second.d AND first.p = second.p`
  );
}

function receive(row: Row, attribute: string, dimensions: readonly SegmentDimension[], points: PointCollector): void {
  const [dimension, position, total, personal, ...rest] = row;
  const segment = segmentOf(dimensions, dimension, position);
  if (segment === undefined) return;
  points.add('CONTAINS_PII', 'ratio', { attribute, segment, value: percentage(Number(personal), Number(total)) });
  COUNTS.forEach(({ metric }, count) => {
    AGGREGATIONS.forEach((aggregation, index) => {
      points.add(metric, aggregation, { attribute, segment, value: Number(rest[count * AGGREGATIONS.length + index]) });
    });
  });
  const lists: readonly (Cell | undefined)[] = rest.slice(COUNTS.length * AGGREGATIONS.length);
  for (const [index, form] of (['expanded', 'compressed'] as const).entries()) {
    for (const { value, count } of rankedValues(lists[index]))
      points.add('PATTERN', `${form}:${value}`, { attribute, segment, value: percentage(count, Number(total)) });
  }
}

const SMALL_LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const ASCII_DIGITS = '0123456789';
const ASCII_SPACES = ' \t\n\r\f';

/**
 * Letters become L, digits D, white space S. Letters go first, so that an L, D or S of the pattern is one of ours. Texts in ASCII, which most are,
 * are translated character by character: four times as fast as the regular expressions (measured on e-mail addresses and hexadecimal digits).
 */
function expandedPattern(text: string, dialect: Dialect): string {
  const from = `${SMALL_LETTERS}${ASCII_DIGITS}${ASCII_SPACES}`;
  const to = `${'L'.repeat(SMALL_LETTERS.length)}${'D'.repeat(ASCII_DIGITS.length)}${'S'.repeat(ASCII_SPACES.length)}`;
  // The engine looks at each of the characters to replace once a text, so that half as many take half the time.
  const translated = `translate(lower(${dialect.byteOrder(text)}), ${dialect.literal(from)}, ${dialect.literal(to)})`;
  const letters = dialect.regexReplace(text, `[${dialect.letters}]`, 'L');
  const matched = dialect.regexReplace(dialect.regexReplace(letters, `[${dialect.digits}]`, 'D'), `[${ASCII_SPACES}]`, 'S');
  return `CASE WHEN ${dialect.length(text)} = ${dialect.byteLength(text)} THEN ${translated} ELSE ${matched} END`;
}

/** One character for each run of letters, digits or spaces; a run of one stays as it is. */
function compressedPattern(pattern: string, dialect: Dialect): string {
  return ['L', 'D', 'S'].reduce((sql, character) => dialect.regexReplace(sql, `${character}${character}+`, character), pattern);
}

function occurrences(character: string): string {
  return `(length(pattern) - ${without(character)})`;
}

/** The length that is left. */
function without(character: string): string {
  return `length(replace(pattern, '${character}', ''))`;
}
