// SPDX-License-Identifier: Apache-2.0
import { roundsOf } from '@sextant/foundation-testing';
import { onDuckdb } from '../expressions/sql-engines.conformance.ts';
import { generatedRulesSuite } from './generated-rules.conformance.ts';

onDuckdb((engine) => generatedRulesSuite(engine, roundsOf({ quick: 2, long: 60 })));
