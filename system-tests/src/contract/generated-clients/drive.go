// SPDX-License-Identifier: Apache-2.0
// The same as drive.py, through the client that openapi-generator makes for Go.
package main

import (
	"context"
	"fmt"
	"math"
	"os"

	api "generated.example/client"
)

var ctx = context.Background()

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func hold(holds bool, what string, got any) {
	if !holds {
		panic(fmt.Sprintf("%s: got %v", what, got))
	}
}

func id(number uint64) api.PointId { return api.Uint64AsPointId(&number) }

func dense(components ...float32) api.VectorInput { return api.ArrayOfFloat32AsVectorInput(&components) }

func point(number uint64, vector api.VectorInput, city string) api.PointStruct {
	point := api.NewPointStruct(id(number), vector)
	point.Payload = map[string]any{"city": city}
	return *point
}

func city(name string) api.Filter {
	value := api.StringAsMatchValueValue(&name)
	match := api.MatchValueAsMatch(api.NewMatchValue(value))
	field := api.NewFieldCondition("city")
	field.Match = *api.NewNullableMatch(&match)
	conditions := []api.Condition{api.FieldConditionAsCondition(field)}
	filter := api.NewFilter()
	conditionsOf := api.ArrayOfConditionAsConditions(&conditions)
	filter.Must = *api.NewNullableConditions(&conditionsOf)
	return *filter
}

func main() {
	configuration := api.NewConfiguration()
	configuration.Servers = api.ServerConfigurations{{URL: os.Args[1]}}
	client := api.NewAPIClient(configuration)
	largest := uint64(math.MaxUint64)
	limit := int32(5)
	shown := api.BoolAsWithPayload(&[]bool{true}[0])

	// Unnamed vectors.
	plain := api.VectorParamsAsVectorsConfig(api.NewVectorParams(4, "Dot"))
	creation := api.NewCreateCollection()
	creation.Vectors = *api.NewNullableVectorsConfig(&plain)
	created, _, err := client.CollectionsAPI.CreateCollection(ctx, "plain").CreateCollection(*creation).Execute()
	must(err)
	hold(created.Result, "the collection is created", created)
	list := api.NewUpsertPointsList([]api.PointStruct{
		point(1, dense(1, 0, 0, 0), "Rome"), point(2, dense(0.5, 0.5, 0, 0), "Oslo"), point(largest, dense(0.25, 0, 0, 1), "Oslo"),
	})
	_, _, err = client.PointsAPI.UpsertPoints(ctx, "plain").UpsertPoints(api.UpsertPointsListAsUpsertPoints(list)).Wait(true).Timeout(30).Execute()
	must(err)

	asked := []float32{1, 0, 0, 0}
	search := api.NewSearchPoints(api.ArrayOfFloat32AsSearchVector(&asked))
	found, _, err := client.SearchAPI.SearchPoints(ctx, "plain").SearchPoints(*search).Timeout(30).Execute()
	must(err)
	hold(len(found.Result) == 3 && *found.Result[0].Id.Uint64 == 1, "the nearest is the first", found.Result)

	filter := city("Oslo")
	query := api.NewQueryPoints()
	by := api.ArrayOfFloat32AsQuery(&asked)
	query.Query = *api.NewNullableQuery(&by)
	query.Filter = *api.NewNullableFilter(&filter)
	query.Limit = *api.NewNullableInt32(&limit)
	query.WithPayload = *api.NewNullableWithPayload(&shown)
	queried, _, err := client.SearchAPI.QueryPoints(ctx, "plain").QueryPoints(*query).Execute()
	must(err)
	hits := queried.Result.Points
	hold(len(hits) == 2 && *hits[0].Id.Uint64 == 2 && *hits[1].Id.Uint64 == largest, "the filter holds", hits)
	hold(hits[0].Payload["city"] == "Oslo", "the payload comes back", hits[0].Payload)

	page, _, err := client.PointsAPI.ScrollPoints(ctx, "plain").ScrollPoints(*api.NewScrollPoints()).Execute()
	must(err)
	hold(len(page.Result.Points) == 3, "every point is on the page", page.Result.Points)

	// Named vectors.
	params := map[string]api.VectorParams{"text": *api.NewVectorParams(2, "Euclid")}
	named := api.MapmapOfStringVectorParamsAsVectorsConfig(&params)
	creation.Vectors = *api.NewNullableVectorsConfig(&named)
	_, _, err = client.CollectionsAPI.CreateCollection(ctx, "named").CreateCollection(*creation).Execute()
	must(err)
	text := []float32{3, 4}
	vectors := map[string]api.Vector{"text": api.ArrayOfFloat32AsVector(&text)}
	list = api.NewUpsertPointsList([]api.PointStruct{point(7, api.MapmapOfStringVectorAsVectorInput(&vectors), "Rome")})
	_, _, err = client.PointsAPI.UpsertPoints(ctx, "named").UpsertPoints(api.UpsertPointsListAsUpsertPoints(list)).Execute()
	must(err)
	search = api.NewSearchPoints(api.NamedVectorAsSearchVector(api.NewNamedVector("text", api.ArrayOfFloat32AsVector(&text))))
	found, _, err = client.SearchAPI.SearchPoints(ctx, "named").SearchPoints(*search).Execute()
	must(err)
	hold(len(found.Result) == 1 && *found.Result[0].Id.Uint64 == 7, "a named vector is found", found.Result)

	// Deletion, by ids and by filter.
	byIds := api.PointIdsListAsPointsSelector(api.NewPointIdsList([]api.PointId{id(largest)}))
	_, _, err = client.PointsAPI.DeletePoints(ctx, "plain").PointsSelector(byIds).Execute()
	must(err)
	byFilter := api.FilterSelectorAsPointsSelector(api.NewFilterSelector(city("Rome")))
	_, _, err = client.PointsAPI.DeletePoints(ctx, "plain").PointsSelector(byFilter).Execute()
	must(err)
	counted, _, err := client.PointsAPI.CountPoints(ctx, "plain").CountPoints(*api.NewCountPoints()).Execute()
	must(err)
	hold(counted.Result.Count == 1, "two of three are deleted", counted.Result)
	for _, name := range []string{"plain", "named"} {
		_, _, err = client.CollectionsAPI.DeleteCollection(ctx, name).Execute()
		must(err)
	}
	fmt.Println("done")
}
