// SPDX-License-Identifier: Apache-2.0
/** The part of `snowball-stemmers` that is used here; the package has no types of its own. */
declare module 'snowball-stemmers' {
  const factory: {
    algorithms(): string[];
    newStemmer(algorithm: string): { stem(word: string): string };
  };
  // CommonJS: its exports arrive as the default import.
  export = factory;
}
