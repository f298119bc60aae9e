import type { RuleVariable } from './monitor-form.ts';

/**
 * The values of a variable as they were written. A value that was a number before stays one while it is written in the same way; what is new is
 * a text, which the language reads as a number beside numbers. A kind that takes fewer values keeps the first ones.
 */
export function writtenValues(
  type: RuleVariable['type'],
  written: readonly (string | number)[],
  before: RuleVariable['value'],
): RuleVariable['value'] {
  const numbers = new Map(before.filter((each) => typeof each === 'number').map((each) => [String(each), each]));
  const values = written.map((each) => (typeof each === 'number' ? each : (numbers.get(each) ?? each)));
  switch (type) {
    case 'LIST':
      return values.filter((each) => each !== '');
    case 'RANGE':
      return [values[0] ?? '', values[1] ?? ''];
    case 'CONSTANT':
    case 'REFERENCE':
      return [values[0] ?? ''];
  }
}
