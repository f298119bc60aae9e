// SPDX-License-Identifier: Apache-2.0
import { roundsOf } from '@sextant/foundation-testing';
import { crashSuite } from './conformance/crash.conformance.ts';
import { onSqlite } from './conformance/engines.conformance.ts';

onSqlite((fixture) => crashSuite(fixture, roundsOf({ quick: 1, long: 20 })));
