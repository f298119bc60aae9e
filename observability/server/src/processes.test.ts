// SPDX-License-Identifier: Apache-2.0
import { systemClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { openFolderArea } from '@sextant/observability-connectors';
import { soleProcess } from '@sextant/observability-metadata';
import { expect, test } from 'vitest';
import { readObservabilityConfiguration } from './configuration.ts';
import { openProcesses } from './processes.ts';

test('without PostgreSQL there is one process', async () => {
  await using directory = await temporaryDirectory();
  const outcome = readObservabilityConfiguration({}, []);
  if (outcome.kind !== 'ready') throw new Error('the settings of the test are refused');
  const { configuration } = outcome;
  const uploads = await openFolderArea(directory.path);
  const settings = {
    get: () => Promise.reject(new Error('asked')),
    set: () => Promise.reject(new Error('asked')),
    setIfAbsent: () => Promise.reject(new Error('asked')),
  };
  const log = { info: () => undefined, warn: () => undefined };
  expect(await openProcesses({ configuration, settings, uploads, clock: systemClock, onNotice: () => undefined, log })).toBe(soleProcess);
});
