// SPDX-License-Identifier: Apache-2.0
import { atomicitySuite } from './conformance/atomicity.conformance.ts';
import { busyTenantSuite } from './conformance/busy-tenant.conformance.ts';
import { deliverySuite } from './conformance/delivery.conformance.ts';
import { onEveryDatabase } from './conformance/engines.conformance.ts';
import { identitySuite } from './conformance/identity.conformance.ts';
import { incidentCareSuite } from './conformance/incident-care.conformance.ts';
import { isolationSuite } from './conformance/isolation.conformance.ts';
import { jobsSuite } from './conformance/jobs.conformance.ts';
import { limitsSuite } from './conformance/limits.conformance.ts';
import { longQueueSuite } from './conformance/long-queue.conformance.ts';
import { manyAssetsSuite } from './conformance/many-assets.conformance.ts';
import { monitoringSuite } from './conformance/monitoring.conformance.ts';
import { pastRowsSuite } from './conformance/past-rows.conformance.ts';
import { retentionSuite } from './conformance/retention.conformance.ts';
import { scoresSuite } from './conformance/scores.conformance.ts';
import { sourcesSuite } from './conformance/sources.conformance.ts';
import { textSuite } from './conformance/text.conformance.ts';
import { wrongCellsSuite } from './conformance/wrong-cells.conformance.ts';

onEveryDatabase((fixture) => {
  atomicitySuite(fixture);
  identitySuite(fixture);
  sourcesSuite(fixture);
  jobsSuite(fixture);
  longQueueSuite(fixture);
  busyTenantSuite(fixture);
  limitsSuite(fixture);
  monitoringSuite(fixture);
  incidentCareSuite(fixture);
  deliverySuite(fixture);
  pastRowsSuite(fixture);
  retentionSuite(fixture);
  scoresSuite(fixture);
  textSuite(fixture);
  wrongCellsSuite(fixture);
  isolationSuite(fixture);
  manyAssetsSuite(fixture);
});
