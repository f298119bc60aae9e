// SPDX-License-Identifier: Apache-2.0
package dev.sextant;

import static io.qdrant.client.ConditionFactory.matchKeyword;
import static io.qdrant.client.ConditionFactory.range;
import static io.qdrant.client.PointIdFactory.id;
import static io.qdrant.client.QueryFactory.nearest;
import static io.qdrant.client.ValueFactory.value;
import static io.qdrant.client.VectorFactory.multiVector;
import static io.qdrant.client.VectorFactory.vector;
import static io.qdrant.client.VectorsFactory.namedVectors;
import static io.qdrant.client.VectorsFactory.vectors;
import static io.qdrant.client.WithPayloadSelectorFactory.enable;

import com.google.common.util.concurrent.ListenableFuture;
import io.grpc.Status;
import io.qdrant.client.QdrantClient;
import io.qdrant.client.QdrantGrpcClient;
import io.qdrant.client.grpc.Collections.*;
import io.qdrant.client.grpc.Common.*;
import io.qdrant.client.grpc.Points.*;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;

/** The official Java client, unchanged, through what an application does with a collection. Arguments: host and port of the gRPC interface. */
public final class Films {
  private static final String FILMS = "films";
  private static final UUID CASABLANCA = UUID.fromString("6f1a9d0e-6a2b-4c55-9f0e-0d0f6a5b7c11");
  /** The largest unsigned integer, as Java writes its bits. */
  private static final long LAST = -1L;

  public static void main(String[] arguments) throws Exception {
    String host = arguments[0];
    int port = Integer.parseInt(arguments[1]);
    example(host, port);
    try (QdrantClient client = new QdrantClient(QdrantGrpcClient.newBuilder(host, port, false).build())) {
      create(client);
      read(client);
      write(client);
      capabilities(client);
      refusals(client);
      client.deleteCollectionAsync(FILMS).get();
      expect("exists", client.collectionExistsAsync(FILMS).get(), false);
    }
    System.out.println("passed");
  }

  private static void example(String host, int port) throws Exception {
    // page: begin
    try (QdrantClient client = new QdrantClient(QdrantGrpcClient.newBuilder(host, port, false).build())) {
      client.createCollectionAsync("books", VectorParams.newBuilder().setSize(3).setDistance(Distance.Cosine).build()).get();
      client.upsertAsync("books", List.of(
          PointStruct.newBuilder().setId(id(1)).setVectors(vectors(0.9f, 0.1f, 0.2f)).putPayload("year", value(1979)).build(),
          PointStruct.newBuilder().setId(id(2)).setVectors(vectors(0.1f, 0.9f, 0.4f)).putPayload("year", value(1942)).build())).get();
      List<ScoredPoint> hits = client.queryAsync(QueryPoints.newBuilder()
          .setCollectionName("books")
          .setQuery(nearest(0.8f, 0.2f, 0.1f))
          .setFilter(Filter.newBuilder().addMust(range("year", Range.newBuilder().setGte(1950).build())))
          .build()).get();
      for (ScoredPoint hit : hits) System.out.println(hit.getId().getNum() + " " + hit.getScore());
      // page: end
      expect("the example", hits.size(), 1);
      client.deleteCollectionAsync("books").get();
    }
  }

  private static void create(QdrantClient client) throws Exception {
    VectorParams plot = VectorParams.newBuilder().setSize(3).setDistance(Distance.Cosine).build();
    VectorParams tokens = VectorParams.newBuilder().setSize(2).setDistance(Distance.Dot)
        .setMultivectorConfig(MultiVectorConfig.newBuilder().setComparator(MultiVectorComparator.MaxSim)).build();
    client.createCollectionAsync(CreateCollection.newBuilder().setCollectionName(FILMS)
        .setVectorsConfig(VectorsConfig.newBuilder().setParamsMap(VectorParamsMap.newBuilder().putMap("plot", plot).putMap("tokens", tokens)))
        .setSparseVectorsConfig(SparseVectorConfig.newBuilder().putMap("words", SparseVectorParams.getDefaultInstance()))
        .build()).get();
    UpdateResult written = client.upsertAsync(FILMS, List.of(
        point(id(1), List.of(0.9f, 0.1f, 0.2f), 1, "Alien", 1979),
        point(id(LAST), List.of(0.8f, 0.3f, 0.1f), 2, "Aliens", 1986),
        point(id(CASABLANCA), List.of(0.1f, 0.9f, 0.4f), 3, "Casablanca", 1942))).get();
    expect("status", written.getStatus(), UpdateStatus.Completed);
    client.createPayloadIndexAsync(FILMS, "year", PayloadSchemaType.Integer, null, true, null, null).get();
    client.createPayloadIndexAsync(FILMS, "title", PayloadSchemaType.Keyword, null, true, null, null).get();
    expect("points", client.getCollectionInfoAsync(FILMS).get().getPointsCount(), 3L);
  }

  private static PointStruct point(PointId id, List<Float> plot, int word, String title, long year) {
    float[][] tokens = {{word, 0}, {0, 1}};
    return PointStruct.newBuilder().setId(id)
        .setVectors(namedVectors(Map.of("plot", vector(plot), "tokens", multiVector(tokens), "words", vector(List.of(0.5f, 1f), List.of(7, word)))))
        .putAllPayload(Map.of("title", value(title), "year", value(year))).build();
  }

  private static Filter since(double year) {
    return Filter.newBuilder().addMust(range("year", Range.newBuilder().setGte(year).build())).build();
  }

  private static List<String> titles(QdrantClient client, QueryPoints.Builder request) throws Exception {
    List<ScoredPoint> found = client.queryAsync(request.setCollectionName(FILMS).setWithPayload(enable(true)).build()).get();
    return found.stream().map(hit -> hit.getPayloadMap().get("title").getStringValue()).toList();
  }

  private static void read(QdrantClient client) throws Exception {
    expect("dense", titles(client, QueryPoints.newBuilder().setQuery(nearest(0.9f, 0.1f, 0.2f)).setUsing("plot").setFilter(since(1950))),
        List.of("Alien", "Aliens"));
    expect("sparse", titles(client, QueryPoints.newBuilder().setQuery(nearest(List.of(1f), List.of(3))).setUsing("words")), List.of("Casablanca"));
    expect("multi", titles(client, QueryPoints.newBuilder().setQuery(nearest(new float[][] {{1, 0}})).setUsing("tokens")),
        List.of("Casablanca", "Aliens", "Alien"));
    expect("by id", titles(client, QueryPoints.newBuilder().setQuery(nearest(id(CASABLANCA))).setUsing("plot").setFilter(since(1980))), List.of("Aliens"));
    QueryPoints one = QueryPoints.newBuilder().setCollectionName(FILMS).setQuery(nearest(0.1f, 0.9f, 0.4f)).setUsing("plot").setLimit(1).build();
    List<BatchResult> batch = client.queryBatchAsync(FILMS, List.of(one, one)).get();
    expect("batch", batch.stream().map(each -> each.getResult(0).getId().getUuid()).toList(), List.of(CASABLANCA.toString(), CASABLANCA.toString()));
    ScrollResponse page = client.scrollAsync(ScrollPoints.newBuilder().setCollectionName(FILMS).setLimit(1).build()).get();
    expect("scroll", List.of(page.getResult(0).getId().getNum(), page.getNextPageOffset().getNum()), List.of(1L, LAST));
    expect("count", client.countAsync(FILMS, since(1950), true).get(), 2L);
    List<RetrievedPoint> got = client.retrieveAsync(FILMS, id(LAST), true, true, null).get();
    expect("payload", got.get(0).getPayloadMap().get("year").getIntegerValue(), 1986L);
    expect("facet", client.facetAsync(FacetCounts.newBuilder().setCollectionName(FILMS).setKey("title").build()).get().size(), 3);
    expect("groups", client.queryGroupsAsync(QueryPointGroups.newBuilder().setCollectionName(FILMS).setQuery(nearest(0.9f, 0.1f, 0.2f))
        .setUsing("plot").setGroupBy("title").build()).get().size(), 3);
  }

  private static void write(QdrantClient client) throws Exception {
    client.setPayloadAsync(FILMS, Map.of("seen", value(true)), id(1), true, null, null).get();
    client.deletePayloadAsync(FILMS, List.of("year"), id(1), true, null, null).get();
    client.updateVectorsAsync(FILMS, List.of(PointVectors.newBuilder().setId(id(1))
        .setVectors(namedVectors(Map.of("plot", vector(List.of(0f, 0f, 1f))))).build())).get();
    RetrievedPoint got = client.retrieveAsync(FILMS, id(1), true, false, null).get().get(0);
    expect("written", List.of(got.getPayloadMap().get("seen").getBoolValue(), got.containsPayload("year")), List.of(true, false));
    client.deleteAsync(FILMS, Filter.newBuilder().addMust(matchKeyword("title", "Casablanca")).build()).get();
    client.deleteAsync(FILMS, List.of(id(LAST))).get();
    expect("left", client.countAsync(FILMS).get(), 1L);
  }

  private static void capabilities(QdrantClient client) throws Exception {
    client.createAliasAsync("movies", FILMS).get();
    expect("aliases", client.listCollectionAliasesAsync(FILMS).get(), List.of("movies"));
    client.deleteAliasAsync("movies").get();
    String snapshot = client.createSnapshotAsync(FILMS).get().getName();
    expect("snapshots", client.listSnapshotAsync(FILMS).get().get(0).getName(), snapshot);
    client.deleteSnapshotAsync(FILMS, snapshot).get();
  }

  private static void refusals(QdrantClient client) throws Exception {
    refused(client.countAsync("nowhere"), Status.Code.NOT_FOUND, "Collection not found: nowhere");
    refused(client.queryAsync(QueryPoints.newBuilder().setCollectionName(FILMS).setQuery(nearest(1f)).setUsing("plot").build()),
        Status.Code.INVALID_ARGUMENT, "Dimension mismatch for vector: expected 3, got 1");
    refused(client.deleteAsync(DeletePoints.newBuilder().setCollectionName(FILMS).build()),
        Status.Code.INVALID_ARGUMENT, "request: required member `points` (ids) or `filter` is missing");
    refused(client.createCollectionAsync(FILMS, VectorParams.newBuilder().setSize(3).setDistance(Distance.Cosine).build()),
        Status.Code.ALREADY_EXISTS, "Collection already exists: films");
  }

  private static void refused(ListenableFuture<?> call, Status.Code code, String message) throws Exception {
    try {
      call.get();
    } catch (ExecutionException failure) {
      Status status = Status.fromThrowable(failure);
      expect(message, List.of(status.getCode(), status.getDescription()), List.of(code, message));
      return;
    }
    throw new AssertionError("expected " + code + ": " + message);
  }

  private static void expect(String what, Object got, Object wanted) {
    if (!got.equals(wanted)) throw new AssertionError(what + ": got " + got + ", want " + wanted);
  }
}
