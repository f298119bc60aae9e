// SPDX-License-Identifier: Apache-2.0
/** JSON that is written already, as a result or a part of one. */
import { stringifyJson } from '@sextant/foundation-std';

export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The text of a value, or the text that it is. */
export function jsonOf(value: unknown): string {
  return value instanceof JsonText ? value.text : stringifyJson(value);
}
