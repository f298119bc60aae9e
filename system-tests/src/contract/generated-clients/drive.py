# SPDX-License-Identifier: Apache-2.0
"""A morning of work through the client that openapi-generator makes of the vector service's document; ends with an exception where something is lost."""

import sys

import openapi_client as api

LARGEST_ID = 2**64 - 1

client = api.ApiClient(api.Configuration(host=sys.argv[1]))
collections, points, search = api.CollectionsApi(client), api.PointsApi(client), api.SearchApi(client)


def dense(*components):
    return api.VectorInput(list(components))


def point(number, vector, **payload):
    return api.PointStruct(id=api.PointId(number), vector=vector, payload=payload)


def ids(found):
    return [each.id.actual_instance for each in found]


def city(name):
    match = api.Match(api.MatchValue(value=api.MatchValueValue(name)))
    return api.Filter(must=api.Conditions([api.Condition(api.FieldCondition(key="city", match=match))]))


# Unnamed vectors.
four = api.VectorParams(size=4, distance="Dot")
assert collections.create_collection("plain", api.CreateCollection(vectors=api.VectorsConfig(four))).result is True
written = [
    point(1, dense(1.0, 0.0, 0.0, 0.0), city="Rome"),
    point(2, dense(0.5, 0.5, 0, 0), city="Oslo"),
    point(LARGEST_ID, dense(0.25, 0.0, 0.0, 1.0), city="Oslo"),
]
points.upsert_points("plain", api.UpsertPoints(api.UpsertPointsList(points=written)), wait=True, timeout=30)

nearest = search.search_points("plain", api.SearchPoints(vector=api.SearchVector([1.0, 0.0, 0.0, 0.0]), limit=2), timeout=30).result
assert ids(nearest) == [1, 2], nearest

asked = api.QueryPoints(query=api.Query([1.0, 0.0, 0.0, 0.0]), filter=city("Oslo"), limit=5, with_payload=api.WithPayload(True))
queried = search.query_points("plain", query_points=asked).result.points
assert ids(queried) == [2, LARGEST_ID], queried
assert queried[0].payload == {"city": "Oslo"}, queried

page = points.scroll_points("plain", scroll_points=api.ScrollPoints(limit=2, with_vector=api.WithVector(True))).result
assert ids(page.points) == [1, 2] and page.next_page_offset.actual_instance == LARGEST_ID, page
assert page.points[1].vector.actual_instance == [0.5, 0.5, 0, 0], page

# Named vectors.
named = {"text": api.VectorParams(size=2, distance="Euclid")}
collections.create_collection("named", api.CreateCollection(vectors=api.VectorsConfig(named)))
vector = api.VectorInput({"text": api.Vector([3.0, 4.0])})
points.upsert_points("named", api.UpsertPoints(api.UpsertPointsList(points=[point(7, vector)])))
by_name = api.SearchVector(api.NamedVector(name="text", vector=api.Vector([3.0, 4.0])))
assert ids(search.search_points("named", api.SearchPoints(vector=by_name, limit=1)).result) == [7]

# Deletion, by ids and by filter.
points.delete_points("plain", api.PointsSelector(api.PointIdsList(points=[api.PointId(LARGEST_ID)])))
points.delete_points("plain", api.PointsSelector(api.FilterSelector(filter=city("Rome"))))
assert points.count_points("plain").result.count == 1
for name in ("plain", "named"):
    assert collections.delete_collection(name).result is True
print("done")
