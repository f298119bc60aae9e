// SPDX-License-Identifier: Apache-2.0
import { onSqlite } from './conformance/engines.conformance.ts';
import { metadataSuites } from './conformance/metadata.conformance.ts';

onSqlite(metadataSuites);
