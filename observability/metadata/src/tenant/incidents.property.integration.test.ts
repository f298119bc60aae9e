// SPDX-License-Identifier: Apache-2.0
import { roundsOf } from '@sextant/foundation-testing';
import { onPostgresql } from '../conformance/engines.conformance.ts';
import { incidentListsSuite } from '../conformance/incident-lists.conformance.ts';

onPostgresql((fixture) => incidentListsSuite(fixture, roundsOf({ quick: 5, long: 150 })));
