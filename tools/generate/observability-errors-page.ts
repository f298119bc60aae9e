// SPDX-License-Identifier: Apache-2.0
import { errorCatalogue } from '@sextant/contracts-observability';
import { code, generatedPage, table } from './markdown.ts';

/** Every error of the observability service that a caller can act on. */
export function observabilityErrorsPage(): string {
  const rows = errorCatalogue()
    .toSorted((one, other) => one.status - other.status)
    .map(({ code: name, status, description, message }) => [code(name), status, description, message.replaceAll('`', '')]);
  return generatedPage(
    'Errors of the observability service',
    'Names in braces stand for values from the request. Responses contain the status and ' +
      '`{"message": sentence, "description": phrase}`, not the code. A 429 also has the header `Retry-After`, in seconds.',
    table(['Code', 'Status', 'Phrase', 'Sentence'], rows),
  );
}
