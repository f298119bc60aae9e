// SPDX-License-Identifier: Apache-2.0
import { Code } from '@mantine/core';

/** A sentence of the service, in which names of the data stand between backticks. */
export function Finding({ text }: { readonly text: string }) {
  // The parts lie at odd places; they have no other name than their place.
  return text.split('`').map((part, place) =>
    place % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a sentence never changes its order
      <Code key={place} fz="inherit" bg="transparent" p={0}>
        {part}
      </Code>
    ) : (
      part
    ),
  );
}
