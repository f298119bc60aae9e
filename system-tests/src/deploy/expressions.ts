// SPDX-License-Identifier: Apache-2.0
/** What an expression of Prometheus asks for. */

/** The words of the language that may stand where a metric may; functions are followed by a parenthesis. */
const KEYWORDS: ReadonlySet<string> = new Set([
  'and',
  'or',
  'unless',
  'by',
  'without',
  'on',
  'ignoring',
  'group_left',
  'group_right',
  'bool',
  'offset',
]);

/** The names of metrics in an expression: words that are neither functions, nor in braces, brackets or texts, nor labels of a grouping. */
export function metricsIn(expression: string): readonly string[] {
  const bare = expression
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '')
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, ' ')
    .replaceAll(/\b(by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, ' ');
  const words = [...bare.matchAll(/(?<![\w.$])([a-zA-Z_:][\w:]*)(?!\s*\(|\w)/g)].map(([, word = '']) => word);
  return [...new Set(words.filter((word) => !KEYWORDS.has(word)))];
}
