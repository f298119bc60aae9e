// SPDX-License-Identifier: Apache-2.0
/** What the metadata promise on every database. */
import { atomicitySuite } from './atomicity.conformance.ts';
import { busyTenantSuite } from './busy-tenant.conformance.ts';
import { deliverySuite } from './delivery.conformance.ts';
import type { Fixture } from './engines.conformance.ts';
import { identitySuite } from './identity.conformance.ts';
import { incidentCareSuite } from './incident-care.conformance.ts';
import { isolationSuite } from './isolation.conformance.ts';
import { jobsSuite } from './jobs.conformance.ts';
import { limitsSuite } from './limits.conformance.ts';
import { longQueueSuite } from './long-queue.conformance.ts';
import { manyAssetsSuite } from './many-assets.conformance.ts';
import { monitoringSuite } from './monitoring.conformance.ts';
import { pastRowsSuite } from './past-rows.conformance.ts';
import { retentionSuite } from './retention.conformance.ts';
import { scoresSuite } from './scores.conformance.ts';
import { sourcesSuite } from './sources.conformance.ts';
import { textSuite } from './text.conformance.ts';
import { wrongCellsSuite } from './wrong-cells.conformance.ts';

export function metadataSuites(fixture: Fixture): void {
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
}
