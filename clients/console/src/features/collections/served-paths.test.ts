import { openApiDocument } from '@sextant/contracts-vector/schemas';
import { expect, test } from 'vitest';
import { servedPathsOf } from './served-paths.ts';

test('what is switched off is in the description of the service, and is not served', () => {
  const statusPath = '/collections/{collection_name}/status';
  const document = (capabilities: readonly string[]) => openApiDocument({ version: '1', capabilities: new Set(capabilities) });
  expect(Object.keys(document([]).paths)).toContain(statusPath);
  expect(servedPathsOf(document([]))).not.toContain(statusPath);
  expect(servedPathsOf(document([]))).toContain('/collections/{collection_name}');
  expect(servedPathsOf(document(['status']))).toContain(statusPath);
});
