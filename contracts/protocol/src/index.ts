export { exactInteger, fromValue, fromValues, toValue, toValues } from './json-values.ts';
export { Inexpressible, type WritingRules, writeExactly, writeMessage } from './message-writer.ts';
export { encodedFiles, messageNamed, services } from './protocol.ts';
export { wordOf } from './words.ts';
