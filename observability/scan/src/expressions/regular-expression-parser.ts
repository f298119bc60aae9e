// SPDX-License-Identifier: Apache-2.0
/** The regular expressions that both engines share, as a tree: sets of characters, anchors, sequences, choices and repeats. */

/** A regular expression that not every engine could run. The message is for its author. */
export class RegularExpressionError extends Error {
  override readonly name = 'RegularExpressionError';

  constructor(problem: string, offset: number) {
    super(`in the regular expression, at character ${offset + 1}: ${problem}`);
  }
}

const MAX_LENGTH = 1000;
const MAX_DEPTH = 30;
/** PostgreSQL's DUPMAX. */
const MAX_REPEAT = 255;
/** RE2 refuses repeats of repeats beyond this (kMaxRepeat). */
const MAX_NESTED_REPEAT = 1000;

export type Range = readonly [first: string, last: string];

export type PatternNode =
  | { readonly kind: 'set'; readonly ranges: readonly Range[]; readonly negated: boolean }
  | { readonly kind: 'anything' | 'start' | 'end' | 'word-boundary' | 'no-word-boundary' }
  | { readonly kind: 'sequence'; readonly items: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly branches: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly item: PatternNode; readonly least: number; readonly most: number | null };

/** Any character, line ends too, as patterns of ours write it; no one set says so to every engine. */
export const ANYTHING = '(?:[^a]|a)';

const DIGITS: readonly Range[] = [['0', '9']];
/** What `\w` stands for. */
const WORD: readonly Range[] = [
  ['0', '9'],
  ['A', 'Z'],
  ['_', '_'],
  ['a', 'z'],
];
const SPACES: readonly Range[] = [
  ['\t', '\n'],
  ['\f', '\r'],
  [' ', ' '],
];
const SETS: { readonly [letter: string]: readonly Range[] } = { d: DIGITS, w: WORD, s: SPACES };
const CONTROLS: { readonly [letter: string]: string } = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v' };
const NOT_NEWLINE: PatternNode = { kind: 'set', ranges: [['\n', '\n']], negated: true };

/** Throws a `RegularExpressionError`. */
export function parsePattern(source: string): PatternNode {
  if (source.length > MAX_LENGTH) throw new RegularExpressionError(`it has more than ${MAX_LENGTH} characters`, MAX_LENGTH);
  const ignoresCase = source.startsWith('(?i)');
  const reader = patternReader(source, ignoresCase ? 4 : 0);
  const node = parseChoice(reader, ignoresCase, 0);
  if (!reader.isDone()) throw reader.error('found ")" that opens nowhere');
  return node;
}

type PatternReader = {
  readonly isDone: () => boolean;
  readonly peek: () => string;
  readonly next: () => string;
  readonly take: (text: string) => boolean;
  readonly takeMatch: (shape: RegExp) => RegExpExecArray | null;
  readonly error: (problem: string) => RegularExpressionError;
};

function patternReader(source: string, start: number): PatternReader {
  let offset = start;
  const peek = () => (offset < source.length ? String.fromCodePoint(source.codePointAt(offset) ?? 0) : '');
  const advance = (text: string) => {
    offset += text.length;
    return text;
  };
  return {
    isDone: () => offset >= source.length,
    peek,
    next: () => advance(peek()),
    take: (text) => source.startsWith(text, offset) && advance(text) === text,
    takeMatch: (shape) => {
      shape.lastIndex = offset;
      const match = shape.exec(source);
      if (match !== null) advance(match[0]);
      return match;
    },
    error: (problem) => new RegularExpressionError(problem, offset),
  };
}

function parseChoice(reader: PatternReader, ignoresCase: boolean, depth: number): PatternNode {
  if (depth > MAX_DEPTH) throw reader.error(`groups nest deeper than ${MAX_DEPTH} levels`);
  const branches = [parseSequence(reader, ignoresCase, depth)];
  while (reader.take('|')) branches.push(parseSequence(reader, ignoresCase, depth));
  const [only] = branches;
  return branches.length === 1 && only !== undefined ? only : { kind: 'choice', branches };
}

function parseSequence(reader: PatternReader, ignoresCase: boolean, depth: number): PatternNode {
  const items: PatternNode[] = [];
  while (!reader.isDone() && reader.peek() !== '|' && reader.peek() !== ')') {
    items.push(parseRepeat(reader, parseAtom(reader, ignoresCase, depth)));
  }
  return { kind: 'sequence', items };
}

function parseRepeat(reader: PatternReader, item: PatternNode): PatternNode {
  const count = repeatCount(reader);
  if (count === undefined) return item;
  if (item.kind !== 'set' && item.kind !== 'anything' && item.kind !== 'sequence' && item.kind !== 'choice')
    throw reader.error('there is nothing to repeat');
  // Whether a match exists does not depend on greed.
  reader.take('?');
  if (repeatCount(reader) !== undefined) throw reader.error('a repeat cannot be repeated; put the first into a group');
  const { least, most } = count;
  if (least > MAX_REPEAT || (most !== null && most > MAX_REPEAT)) throw reader.error(`repeats go up to ${MAX_REPEAT}`);
  if (most !== null && most < least) throw reader.error('the upper bound of the repeat is below the lower one');
  const node: PatternNode = { kind: 'repeat', item, least, most };
  if (nestedRepeats(node) > MAX_NESTED_REPEAT) throw reader.error(`repeats within repeats come to more than ${MAX_NESTED_REPEAT}`);
  return node;
}

function repeatCount(reader: PatternReader): { readonly least: number; readonly most: number | null } | undefined {
  if (reader.take('*')) return { least: 0, most: null };
  if (reader.take('+')) return { least: 1, most: null };
  if (reader.take('?')) return { least: 0, most: 1 };
  const [, least = '', comma, most] = reader.takeMatch(/\{([0-9]{1,4})(,([0-9]{1,4})?)?\}/y) ?? [];
  if (least === '') return undefined;
  if (comma === undefined) return { least: Number(least), most: Number(least) };
  return { least: Number(least), most: most === undefined ? null : Number(most) };
}

function nestedRepeats(node: PatternNode): number {
  switch (node.kind) {
    case 'repeat':
      return Math.max(node.least, node.most ?? 1, 1) * nestedRepeats(node.item);
    case 'sequence':
      return node.items.reduce((most, item) => Math.max(most, nestedRepeats(item)), 1);
    case 'choice':
      return node.branches.reduce((most, branch) => Math.max(most, nestedRepeats(branch)), 1);
    case 'set':
    case 'anything':
    case 'start':
    case 'end':
    case 'word-boundary':
    case 'no-word-boundary':
      return 1;
  }
}

function parseAtom(reader: PatternReader, ignoresCase: boolean, depth: number): PatternNode {
  if (reader.take(ANYTHING)) return { kind: 'anything' };
  if (reader.take('(')) return parseGroup(reader, ignoresCase, depth);
  if (reader.take('[')) return parseSet(reader, ignoresCase);
  if (reader.take('.')) return NOT_NEWLINE;
  if (reader.take('^')) return { kind: 'start' };
  if (reader.take('$')) return { kind: 'end' };
  if (reader.take('\\')) return parseEscape(reader, ignoresCase);
  if ('*+?'.includes(reader.peek())) throw reader.error(`found ${reader.peek()} with nothing to repeat`);
  if ('{}]'.includes(reader.peek())) throw reader.error(`found ${reader.peek()}; write \\${reader.peek()} for the character itself`);
  return single(reader.next(), ignoresCase);
}

function parseGroup(reader: PatternReader, ignoresCase: boolean, depth: number): PatternNode {
  if (!reader.take('?:') && reader.peek() === '?') {
    throw reader.error(
      'of groups with "(?" only "(?:" is possible, and "(?i)" at the very beginning; the engines do not share look-around',
    );
  }
  const inner = parseChoice(reader, ignoresCase, depth + 1);
  if (!reader.take(')')) throw reader.error('a group is never closed');
  return inner.kind === 'choice' ? inner : { kind: 'sequence', items: [inner] };
}

function parseEscape(reader: PatternReader, ignoresCase: boolean): PatternNode {
  if (reader.take('b')) return { kind: 'word-boundary' };
  if (reader.take('B')) return { kind: 'no-word-boundary' };
  const [, name] = reader.takeMatch(/([dwsDWS])/y) ?? [];
  if (name !== undefined) return { kind: 'set', ranges: SETS[name.toLowerCase()] ?? [], negated: name !== name.toLowerCase() };
  return single(escapedCharacter(reader), ignoresCase);
}

/** What follows a backslash where it stands for one character. */
function escapedCharacter(reader: PatternReader): string {
  const [, short, long] = reader.takeMatch(/x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})/y) ?? [];
  const hex = short ?? long;
  if (hex !== undefined) {
    const character = String.fromCodePoint(Number.parseInt(hex, 16));
    if (character === '\0' || !character.isWellFormed()) throw reader.error('this is a character that no text may hold');
    return character;
  }
  const character = reader.next();
  if (character === '') throw reader.error('a backslash stands alone at the end');
  const control = CONTROLS[character];
  if (control !== undefined) return control;
  if (/[0-9A-Za-z]/.test(character)) throw reader.error(`\\${character} is not available: the engines do not share it`);
  return character;
}

function parseSet(reader: PatternReader, ignoresCase: boolean): PatternNode {
  const negated = reader.take('^');
  const ranges: Range[] = [];
  // A bracket that comes first is a member.
  do {
    if (reader.isDone()) throw reader.error('a set is never closed');
    ranges.push(...parseMember(reader));
  } while (!reader.take(']'));
  return { kind: 'set', ranges: ignoresCase ? ranges.flatMap(bothCases) : ranges, negated };
}

function parseMember(reader: PatternReader): readonly Range[] {
  if (reader.takeMatch(/\[[:.=]/y) !== null) throw reader.error('classes such as [:alpha:] are not available; write the ranges');
  const [, name] = reader.takeMatch(/\\([dwsDWS])/y) ?? [];
  if (name !== undefined) {
    const set = SETS[name];
    if (set === undefined) throw reader.error(`\\${name} cannot stand in a set; negate the set`);
    return set;
  }
  const first = memberCharacter(reader);
  if (reader.takeMatch(/-(?!\])/y) === null) return [[first, first]];
  const last = memberCharacter(reader);
  if ((last.codePointAt(0) ?? 0) < (first.codePointAt(0) ?? 0)) throw reader.error(`the range ${first}-${last} runs backwards`);
  return [[first, last]];
}

function memberCharacter(reader: PatternReader): string {
  if (reader.take('\\')) return reader.take('b') ? '\b' : escapedCharacter(reader);
  const character = reader.next();
  if (character === '') throw reader.error('a set is never closed');
  return character;
}

function single(character: string, ignoresCase: boolean): PatternNode {
  const range: Range = [character, character];
  return { kind: 'set', ranges: ignoresCase ? bothCases(range) : [range], negated: false };
}

/** The range, and what of it has another case in ASCII. */
function bothCases([first, last]: Range): readonly Range[] {
  const swapped = (low: string, high: string, toOther: (text: string) => string): readonly Range[] => {
    const from = first > low ? first : low;
    const to = last < high ? last : high;
    return from <= to ? [[toOther(from), toOther(to)]] : [];
  };
  return [[first, last], ...swapped('a', 'z', (text) => text.toUpperCase()), ...swapped('A', 'Z', (text) => text.toLowerCase())];
}
