// SPDX-License-Identifier: Apache-2.0
/** Texts as tokens of a model, cut to its length. The package makes all tokens of a text; cutting keeps the special ones at both ends. */
import type { ModelFolder } from './model-folder.ts';
import type { TokenizersPackage } from './packages.ts';

/** A word that every vocabulary can spell, to see which special tokens stand around it. */
const PROBE = 'a';

/**
 * What follows so many characters for each token is not looked at: 100,000 letters without a space take a BPE tokenizer 5 s, and a token of a natural text has 4 or so.
 */
const CHARACTERS_PER_TOKEN = 32;

export class TextTokenizer {
  readonly #encode: (text: string, withSpecial: boolean) => readonly number[];
  readonly #before: readonly number[];
  readonly #after: readonly number[];
  readonly #contentMax: number;

  constructor({ tokenizer, tokenizerConfiguration, tokensMax }: ModelFolder, { Tokenizer }: TokenizersPackage) {
    const packaged = new Tokenizer(tokenizer, tokenizerConfiguration);
    this.#encode = (text, withSpecial) => packaged.encode(text, { add_special_tokens: withSpecial }).ids;
    const bare = this.#encode(PROBE, false);
    const whole = this.#encode(PROBE, true);
    const at = whole.findIndex((_, index) => bare.every((id, offset) => whole[index + offset] === id));
    if (bare.length === 0 || at < 0) throw new RangeError('its special tokens do not surround the tokens of a text');
    this.#before = whole.slice(0, at);
    this.#after = whole.slice(at + bare.length);
    this.#contentMax = tokensMax - this.#before.length - this.#after.length;
    if (this.#contentMax < 1) throw new RangeError(`a text may have ${tokensMax} tokens, and the special ones leave no room`);
  }

  /** At least one and at most as many as the model takes. */
  tokensOf(text: string): readonly number[] {
    const looked = text.slice(0, this.#contentMax * CHARACTERS_PER_TOKEN).toWellFormed();
    return [...this.#before, ...this.#encode(looked, false).slice(0, this.#contentMax), ...this.#after];
  }
}
