// SPDX-License-Identifier: Apache-2.0
/** JSON as text: written with ids beyond 2^53, and where a text stops being JSON. */
import { parseJson } from '@sextant/foundation-std';

// The platform's types do not know `JSON.rawJSON` yet.
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => object };

export function jsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? rawJSON(each.toString()) : each), indent);
  return text ?? 'null';
}

export type JsonProblem = { readonly message: string; readonly line: number; readonly column: number; readonly position: number };

/** Undefined for JSON. */
export function jsonProblem(text: string): JsonProblem | undefined {
  try {
    parseJson(text);
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const position = positionIn(reason, text);
    const before = text.slice(0, position).split('\n');
    return { message: cleaned(reason), line: before.length, column: (before.at(-1) ?? '').length + 1, position };
  }
}

/** V8 and Firefox say where; a text that ends too early is wrong at its end. */
function positionIn(reason: string, text: string): number {
  const offset = /position (\d+)/.exec(reason)?.[1];
  if (offset !== undefined) return Math.min(text.length, Number(offset));
  const place = /line (\d+) column (\d+)/.exec(reason);
  if (place === null) return text.length;
  const lines = text.split('\n').slice(0, Number(place[1]) - 1);
  return lines.reduce((sum, line) => sum + line.length + 1, 0) + Number(place[2]) - 1;
}

/** Without the place, which is shown separately, and without the text, which is visible. */
function cleaned(reason: string): string {
  return reason
    .replace(/^JSON\.parse: /, '')
    .replace(/,? ?"?\.\.\..*is not valid JSON$/s, '')
    .replace(/ in JSON at position .*$/s, '')
    .replace(/ at line \d+ column \d+.*$/s, '');
}
