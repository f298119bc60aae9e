// SPDX-License-Identifier: Apache-2.0
import { roundsOf } from '@sextant/foundation-testing';
import { crashSuite } from './conformance/crash.conformance.ts';
import { onPostgresql } from './conformance/engines.conformance.ts';

onPostgresql((fixture) => crashSuite(fixture, roundsOf({ quick: 1, long: 20 })));
