// SPDX-License-Identifier: Apache-2.0
// The official Go client, unchanged, through what an application does with a collection. Arguments: host and port of the gRPC interface.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math"
	"os"
	"reflect"
	"strconv"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

const collection = "films"
const uuid = "6f1a9d0e-6a2b-4c55-9f0e-0d0f6a5b7c11"

func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		log.Panic(err)
	}
}

func expect(what string, got, want any) {
	if !reflect.DeepEqual(got, want) {
		log.Panicf("%s: got %v, want %v", what, got, want)
	}
}

func refused(what string, err error, code codes.Code, message string) {
	// The client puts words of its own around what the service says.
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	said := status.Convert(err)
	expect(what, []any{said.Code(), said.Message()}, []any{code, message})
}

func main() {
	host, port := os.Args[1], must(strconv.Atoi(os.Args[2]))
	ctx := context.Background()
	example(ctx, host, port)

	client := must(qdrant.NewClient(&qdrant.Config{Host: host, Port: port}))
	defer client.Close()
	create(ctx, client)
	read(ctx, client)
	write(ctx, client)
	capabilities(ctx, client)
	refusals(ctx, client)
	check(client.DeleteCollection(ctx, collection))
	expect("exists", must(client.CollectionExists(ctx, collection)), false)
	fmt.Println("passed")
}

func example(ctx context.Context, host string, port int) {
	// page: begin
	client, err := qdrant.NewClient(&qdrant.Config{Host: host, Port: port})
	check(err)
	defer client.Close()
	check(client.CreateCollection(ctx, &qdrant.CreateCollection{
		CollectionName: "books",
		VectorsConfig:  qdrant.NewVectorsConfig(&qdrant.VectorParams{Size: 3, Distance: qdrant.Distance_Cosine}),
	}))
	_, err = client.Upsert(ctx, &qdrant.UpsertPoints{
		CollectionName: "books",
		Points: []*qdrant.PointStruct{
			{Id: qdrant.NewIDNum(1), Vectors: qdrant.NewVectors(0.9, 0.1, 0.2), Payload: qdrant.NewValueMap(map[string]any{"year": 1979})},
			{Id: qdrant.NewIDNum(2), Vectors: qdrant.NewVectors(0.1, 0.9, 0.4), Payload: qdrant.NewValueMap(map[string]any{"year": 1942})},
		},
	})
	check(err)
	hits, err := client.Query(ctx, &qdrant.QueryPoints{
		CollectionName: "books",
		Query:          qdrant.NewQuery(0.8, 0.2, 0.1),
		Filter:         &qdrant.Filter{Must: []*qdrant.Condition{qdrant.NewRange("year", &qdrant.Range{Gte: qdrant.PtrOf(1950.0)})}},
	})
	check(err)
	for _, hit := range hits {
		fmt.Println(hit.Id.GetNum(), hit.Score)
	}
	// page: end
	expect("the example", len(hits), 1)
	check(client.DeleteCollection(ctx, "books"))
}

func create(ctx context.Context, client *qdrant.Client) {
	check(client.CreateCollection(ctx, &qdrant.CreateCollection{
		CollectionName: collection,
		VectorsConfig: qdrant.NewVectorsConfigMap(map[string]*qdrant.VectorParams{
			"plot": {Size: 3, Distance: qdrant.Distance_Cosine},
			"tokens": {
				Size: 2, Distance: qdrant.Distance_Dot,
				MultivectorConfig: &qdrant.MultiVectorConfig{Comparator: qdrant.MultiVectorComparator_MaxSim},
			},
		}),
		SparseVectorsConfig: qdrant.NewSparseVectorsConfig(map[string]*qdrant.SparseVectorParams{"words": {}}),
	}))
	info := must(client.GetCollectionInfo(ctx, collection))
	expect("size", info.Config.Params.VectorsConfig.GetParamsMap().Map["plot"].Size, uint64(3))
	expect("collections", must(client.ListCollections(ctx)), []string{collection})

	point := func(id *qdrant.PointId, plot []float32, word uint32, title string, year int) *qdrant.PointStruct {
		return &qdrant.PointStruct{
			Id: id,
			Vectors: qdrant.NewVectorsMap(map[string]*qdrant.Vector{
				"plot":   qdrant.NewVectorDense(plot),
				"tokens": qdrant.NewVectorMulti([][]float32{{float32(word), 0}, {0, 1}}),
				"words":  qdrant.NewVectorSparse([]uint32{7, word}, []float32{0.5, 1}),
			}),
			Payload: qdrant.NewValueMap(map[string]any{"title": title, "year": year, "tags": []any{"a", 1, nil}}),
		}
	}
	result := must(client.Upsert(ctx, &qdrant.UpsertPoints{
		CollectionName: collection,
		Wait:           qdrant.PtrOf(true),
		Points: []*qdrant.PointStruct{
			point(qdrant.NewIDNum(1), []float32{0.9, 0.1, 0.2}, 1, "Alien", 1979),
			point(qdrant.NewIDNum(math.MaxUint64), []float32{0.8, 0.3, 0.1}, 2, "Aliens", 1986),
			point(qdrant.NewIDUUID(uuid), []float32{0.1, 0.9, 0.4}, 3, "Casablanca", 1942),
		},
	}))
	expect("status", result.Status, qdrant.UpdateStatus_Completed)
	for field, kind := range map[string]qdrant.FieldType{"year": qdrant.FieldType_FieldTypeInteger, "title": qdrant.FieldType_FieldTypeKeyword} {
		must(client.CreateFieldIndex(ctx, &qdrant.CreateFieldIndexCollection{CollectionName: collection, FieldName: field, FieldType: &kind}))
	}
}

func titles(points []*qdrant.ScoredPoint) []string {
	found := []string{}
	for _, point := range points {
		found = append(found, point.Payload["title"].GetStringValue())
	}
	return found
}

func read(ctx context.Context, client *qdrant.Client) {
	since := func(year float64) *qdrant.Filter {
		return &qdrant.Filter{Must: []*qdrant.Condition{qdrant.NewRange("year", &qdrant.Range{Gte: &year})}}
	}
	ask := func(query *qdrant.Query, using string, filter *qdrant.Filter) []string {
		return titles(must(client.Query(ctx, &qdrant.QueryPoints{
			CollectionName: collection, Query: query, Using: &using, Filter: filter, WithPayload: qdrant.NewWithPayload(true),
		})))
	}
	expect("dense", ask(qdrant.NewQuery(0.9, 0.1, 0.2), "plot", since(1950)), []string{"Alien", "Aliens"})
	expect("sparse", ask(qdrant.NewQuerySparse([]uint32{3}, []float32{1}), "words", nil), []string{"Casablanca"})
	expect("multi", ask(qdrant.NewQueryMulti([][]float32{{1, 0}}), "tokens", nil), []string{"Casablanca", "Aliens", "Alien"})
	expect("by id", ask(qdrant.NewQueryID(qdrant.NewIDUUID(uuid)), "plot", since(1980)), []string{"Aliens"})
	expect("keyword", ask(nil, "plot", &qdrant.Filter{MustNot: []*qdrant.Condition{qdrant.NewMatchKeywords("title", "Alien", "Aliens")}}), []string{"Casablanca"})

	one := qdrant.QueryPoints{CollectionName: collection, Query: qdrant.NewQuery(0.1, 0.9, 0.4), Using: qdrant.PtrOf("plot"), Limit: qdrant.PtrOf(uint64(1))}
	batch := must(client.QueryBatch(ctx, &qdrant.QueryBatchPoints{CollectionName: collection, QueryPoints: []*qdrant.QueryPoints{&one, &one}}))
	expect("batch", []string{batch[0].Result[0].Id.GetUuid(), batch[1].Result[0].Id.GetUuid()}, []string{uuid, uuid})

	page, next := func() ([]*qdrant.RetrievedPoint, *qdrant.PointId) {
		points, offset, err := client.ScrollAndOffset(ctx, &qdrant.ScrollPoints{CollectionName: collection, Limit: qdrant.PtrOf(uint32(1))})
		check(err)
		return points, offset
	}()
	expect("scroll", []uint64{page[0].Id.GetNum(), next.GetNum()}, []uint64{1, math.MaxUint64})
	ordered := must(client.Scroll(ctx, &qdrant.ScrollPoints{CollectionName: collection, OrderBy: &qdrant.OrderBy{Key: "year"}}))
	expect("ordered", ordered[0].Id.GetUuid(), uuid)
	expect("count", must(client.Count(ctx, &qdrant.CountPoints{CollectionName: collection, Filter: since(1950), Exact: qdrant.PtrOf(true)})), uint64(2))
	got := must(client.Get(ctx, &qdrant.GetPoints{
		CollectionName: collection, Ids: []*qdrant.PointId{qdrant.NewIDNum(math.MaxUint64)},
		WithPayload: qdrant.NewWithPayload(true), WithVectors: qdrant.NewWithVectors(true),
	}))
	expect("payload", got[0].Payload["year"].GetIntegerValue(), int64(1986))
	expect("sparse vector", got[0].Vectors.GetVectors().Vectors["words"].GetSparse().Indices, []uint32{2, 7})
	facet := must(client.Facet(ctx, &qdrant.FacetCounts{CollectionName: collection, Key: "title"}))
	expect("facet", len(facet), 3)
	groups := must(client.QueryGroups(ctx, &qdrant.QueryPointGroups{
		CollectionName: collection, Query: qdrant.NewQuery(0.9, 0.1, 0.2), Using: qdrant.PtrOf("plot"), GroupBy: "title",
	}))
	expect("groups", len(groups), 3)
}

func write(ctx context.Context, client *qdrant.Client) {
	first := qdrant.NewPointsSelector(qdrant.NewIDNum(1))
	must(client.SetPayload(ctx, &qdrant.SetPayloadPoints{
		CollectionName: collection, PointsSelector: first, Payload: qdrant.NewValueMap(map[string]any{"seen": true}),
	}))
	must(client.DeletePayload(ctx, &qdrant.DeletePayloadPoints{CollectionName: collection, PointsSelector: first, Keys: []string{"year"}}))
	must(client.UpdateVectors(ctx, &qdrant.UpdatePointVectors{CollectionName: collection, Points: []*qdrant.PointVectors{
		{Id: qdrant.NewIDNum(1), Vectors: qdrant.NewVectorsMap(map[string]*qdrant.Vector{"plot": qdrant.NewVector(0, 0, 1)})},
	}}))
	must(client.DeleteVectors(ctx, &qdrant.DeletePointVectors{
		CollectionName: collection, PointsSelector: first, Vectors: &qdrant.VectorsSelector{Names: []string{"words"}},
	}))
	got := must(client.Get(ctx, &qdrant.GetPoints{
		CollectionName: collection, Ids: []*qdrant.PointId{qdrant.NewIDNum(1)},
		WithPayload: qdrant.NewWithPayload(true), WithVectors: qdrant.NewWithVectors(true),
	}))[0]
	_, hasYear := got.Payload["year"]
	_, hasWords := got.Vectors.GetVectors().Vectors["words"]
	expect("written", []bool{got.Payload["seen"].GetBoolValue(), hasYear, hasWords}, []bool{true, false, false})
	results := must(client.UpdateBatch(ctx, &qdrant.UpdateBatchPoints{CollectionName: collection, Operations: []*qdrant.PointsUpdateOperation{
		qdrant.NewPointsUpdateClearPayload(&qdrant.PointsUpdateOperation_ClearPayload{Points: first}),
		qdrant.NewPointsUpdateDeletePoints(&qdrant.PointsUpdateOperation_DeletePoints{Points: qdrant.NewPointsSelectorFilter(
			&qdrant.Filter{Must: []*qdrant.Condition{qdrant.NewMatch("title", "Casablanca")}},
		)}),
	}}))
	expect("batch of writes", len(results), 2)
	must(client.Delete(ctx, &qdrant.DeletePoints{CollectionName: collection, Points: qdrant.NewPointsSelector(qdrant.NewIDNum(math.MaxUint64))}))
	expect("left", must(client.Count(ctx, &qdrant.CountPoints{CollectionName: collection})), uint64(1))
	must(client.DeleteFieldIndex(ctx, &qdrant.DeleteFieldIndexCollection{CollectionName: collection, FieldName: "year"}))
}

func capabilities(ctx context.Context, client *qdrant.Client) {
	check(client.CreateAlias(ctx, "movies", collection))
	expect("aliases", must(client.ListCollectionAliases(ctx, collection)), []string{"movies"})
	expect("by alias", must(client.Count(ctx, &qdrant.CountPoints{CollectionName: "movies"})), uint64(1))
	check(client.DeleteAlias(ctx, "movies"))
	snapshot := must(client.CreateSnapshot(ctx, collection))
	listed := must(client.ListSnapshots(ctx, collection))
	expect("snapshots", []any{len(listed), listed[0].Name}, []any{1, snapshot.Name})
	check(client.DeleteSnapshot(ctx, collection, snapshot.Name))
}

func refusals(ctx context.Context, client *qdrant.Client) {
	_, err := client.Count(ctx, &qdrant.CountPoints{CollectionName: "nowhere"})
	refused("missing collection", err, codes.NotFound, "Collection not found: nowhere")
	_, err = client.Query(ctx, &qdrant.QueryPoints{CollectionName: collection, Query: qdrant.NewQuery(1), Using: qdrant.PtrOf("plot")})
	refused("dimension", err, codes.InvalidArgument, "Dimension mismatch for vector: expected 3, got 1")
	_, err = client.Delete(ctx, &qdrant.DeletePoints{CollectionName: collection})
	refused("no selector", err, codes.InvalidArgument, "request: required member `points` (ids) or `filter` is missing")
	_, err = client.GetCollectionsClient().Create(ctx, &qdrant.CreateCollection{
		CollectionName: collection, VectorsConfig: qdrant.NewVectorsConfig(&qdrant.VectorParams{Size: 3, Distance: qdrant.Distance_Cosine}),
	})
	refused("twice", err, codes.AlreadyExists, "Collection already exists: films")
}
