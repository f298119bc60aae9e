# SPDX-License-Identifier: Apache-2.0
"""Checks of our own beside those of Schemathesis.

`positive_data_acceptance` takes every refusal of a body that fits its schema for a fault. What JSON Schema has no words for, and what depends on
what is stored, is refused with 400 all the same, as the specification says. The check here lets such refusals pass by their sentence, one by
one, and holds every other one to be a fault.
"""

import re

import schemathesis
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS

built_in = CHECKS.get_one("positive_data_acceptance")

DEPENDS_ON_WHAT_IS_STORED = [
    r"Dimension mismatch for vector: expected \d+, got \d+",
    r"Not existing vector name error: ",
    r"No range index for `order_by` key: ",
    r"Index required but not found for ",
    r"Vector `.*` already exists with a different configuration",
    r"expected a (?:dense vector|multivector|sparse vector)",
    r"Nothing was recovered: ",
    r"needs a sparse vector with the modifier `idf`",
    # The first admin, its password and access tokens.
    r"The password must ",
]

NO_WORDS_IN_JSON_SCHEMA = [
    # A member of the specification whose absence has a sentence of its own, and the branch of `if` in the schema that generators do not follow.
    r"vectors_config is required",
    r"a field condition needs at least one of ",
    r"Missing required field: ",
    r"at least one (?:positive )?example is required",
    r"required member `target` or `context` is missing",
    r"A query is needed to merge the prefetches",
    r"score_threshold needs a query that gives scores",
    r"cannot apply (?:Formula|Fusion) without prefetches",
    # Points may be written without vectors, so the schema that they share with updates allows none.
    r"must specify vectors to update for point",
    r"cannot be combined with ",
    r"using: a fusion works on scores",
    r" must not be above ",
    r"\.min_token_len: \d+ is above max_token_len \d+",
    # Names of a list that is longer than a schema should be.
    r"options\.language: nothing is known of ",
    r"no Snowball stemmer for ",
    r"no list for the language ",
    # Arrays that belong together.
    r"`.+` has \d+ items and `ids` has \d+",
    r"`indices` has \d+ items and `values` has \d+",
    r"the index \d+ is there twice",
    r"a ring is closed: its last point must equal its first",
    r"expected a multivector of at most \d+ components in all",
    # Bounds of two members together.
    r"`index` must be below `total`",
    r"`sample` times `limit` is ",
    r"nested deeper than \d+ levels",
    # What one member needs depends on the value of another: the kind of a channel, of a source, of a grant.
    r"expected an (?:e-mail|http or https) address",
    r"expected the name of a channel or a web address",
    r"uploads need no connection",
    r"give either ",
    r"payload\.\w+ is missing; expected ",
    r"is missing, which grant_type ",
    r" exclude each other",
    r"`refresh_token` is missing; give it, or ",
    # Parameters come in the query string or in the body.
    r"parameters: required member ",
    # Texts with a grammar of their own.
    r"expected an ISO 8601 timestamp",
    r"Invalid filter: ",
    r"at position \d+ of path ",
    r"location: expected ",
]


@schemathesis.check
def refuses_only_what_it_must(ctx, response, case):
    if case.meta is None or case.meta.generation.mode != GenerationMode.POSITIVE:
        return None
    if response.status_code == 400 and any(re.search(each, response.text) for each in DEPENDS_ON_WHAT_IS_STORED + NO_WORDS_IN_JSON_SCHEMA):
        return None
    return built_in(ctx, response, case)
