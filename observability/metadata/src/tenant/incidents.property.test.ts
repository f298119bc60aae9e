// SPDX-License-Identifier: Apache-2.0
import { roundsOf } from '@sextant/foundation-testing';
import { onSqlite } from '../conformance/engines.conformance.ts';
import { incidentListsSuite } from '../conformance/incident-lists.conformance.ts';

onSqlite((fixture) => incidentListsSuite(fixture, roundsOf({ quick: 5, long: 150 })));
