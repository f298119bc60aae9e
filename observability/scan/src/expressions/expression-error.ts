// SPDX-License-Identifier: Apache-2.0
import type { Position } from './tokens.ts';

/** Text that is not of the language, or that cannot mean anything for the attributes at hand. The message is for its author. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
  /** Both from 1; columns count UTF-16 units, as editors do. */
  readonly line: number;
  readonly column: number;

  constructor(at: Position, problem: string) {
    super(`line ${at.line}, column ${at.column}: ${problem}`);
    this.line = at.line;
    this.column = at.column;
  }
}
