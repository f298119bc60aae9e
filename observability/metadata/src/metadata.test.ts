import { onEveryDatabase } from './conformance/engines.conformance.ts';
import { identitySuite } from './conformance/identity.conformance.ts';
import { jobsSuite } from './conformance/jobs.conformance.ts';
import { sourcesSuite } from './conformance/sources.conformance.ts';

onEveryDatabase((fixture) => {
  identitySuite(fixture);
  sourcesSuite(fixture);
  jobsSuite(fixture);
});
