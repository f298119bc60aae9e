import { onEveryDatabase } from './conformance/engines.conformance.ts';
import { identitySuite } from './conformance/identity.conformance.ts';
import { isolationSuite } from './conformance/isolation.conformance.ts';
import { jobsSuite } from './conformance/jobs.conformance.ts';
import { monitoringSuite } from './conformance/monitoring.conformance.ts';
import { sourcesSuite } from './conformance/sources.conformance.ts';
import { textSuite } from './conformance/text.conformance.ts';

onEveryDatabase((fixture) => {
  identitySuite(fixture);
  sourcesSuite(fixture);
  jobsSuite(fixture);
  monitoringSuite(fixture);
  textSuite(fixture);
  isolationSuite(fixture);
});
