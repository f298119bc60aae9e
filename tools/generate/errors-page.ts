// SPDX-License-Identifier: Apache-2.0
import { errorCatalogue } from '@sextant/contracts-vector';
import { code, generatedPage, table } from './markdown.ts';

/** Every error that a caller can act on. */
export function errorsPage(): string {
  const rows = errorCatalogue()
    .toSorted((one, other) => one.rest - other.rest)
    .map(({ code: name, rest, grpc, message }) => [code(name), rest, code(grpc), message.replaceAll('`', '')]);
  return generatedPage(
    'Errors',
    'Names in braces stand for values from the request. Responses contain the status and the sentence, not the code, ' +
      'as `{"time": seconds, "status": {"error": sentence}}`, and as `{"status": "error", "message": sentence}` below `/auth`.',
    table(['Code', 'REST', 'gRPC', 'Sentence'], rows),
  );
}
