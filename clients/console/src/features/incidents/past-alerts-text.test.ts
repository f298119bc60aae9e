// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { pastAlertsText } from './past-alerts-text.ts';

test.each([
  [0, 0, 0, 'Every alert of the last 30 days already belongs to an incident.'],
  [1, 1, 0, '1 alert now belongs to 1 new incident.'],
  [5, 2, 0, '5 alerts now belong to 2 new incidents.'],
  [5, 0, 1, '5 alerts now belong to 1 incident that already existed.'],
  [9, 2, 3, '9 alerts now belong to 2 new incidents and 3 incidents that already existed.'],
])('%i alerts, %i created, %i continued: %s', (alerts, incidents_created, incidents_continued, text) => {
  expect(pastAlertsText({ alerts, incidents_created, incidents_continued })).toBe(text);
});
