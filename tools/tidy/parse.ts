// SPDX-License-Identifier: Apache-2.0
/**
 * Source files as their syntax. They are read with oxc-parser (knip brings it along anyway): a real TypeScript parser, so that a comment or a string never
 * counts as an import, which regular expressions and es-module-lexer (JavaScript only) cannot promise.
 */
import { type ParseResult, parseSync } from 'oxc-parser';
import type { SourceFile } from './source.ts';

const results = new WeakMap<SourceFile, ParseResult>();

/** Parses a file for the first rule that asks, which takes most of the time of all rules. */
export function parse(file: SourceFile): ParseResult {
  const result = results.get(file) ?? parseSync(file.path, file.text);
  results.set(file, result);
  return result;
}
