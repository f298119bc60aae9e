// SPDX-License-Identifier: Apache-2.0
package dev.sextant;

import io.grpc.Status;
import io.qdrant.client.QdrantClient;
import io.qdrant.client.QdrantGrpcClient;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.ai.document.Document;
import org.springframework.ai.embedding.EmbeddingModel;
import org.springframework.ai.vectorstore.SearchRequest;
import org.springframework.ai.vectorstore.VectorStore;
import org.springframework.ai.vectorstore.filter.FilterExpressionBuilder;
import org.springframework.ai.vectorstore.qdrant.QdrantVectorStore;

/** The vector store of Spring AI, unchanged, through what an application does with it. Arguments: host and port of the gRPC interface. */
public final class Notes {
  /** Shares a letter with every text: the store asks for scores above 0. */
  private static final String ANYTHING = "a zebra in water";

  public static void main(String[] arguments) throws Exception {
    String host = arguments[0];
    int port = Integer.parseInt(arguments[1]);
    EmbeddingModel model = new LetterModel();
    example(host, port, model);
    try (QdrantClient client = new QdrantClient(QdrantGrpcClient.newBuilder(host, port, false).build())) {
      reopened(client, model);
      refused(client, model);
    }
    System.out.println("passed");
  }

  private static void example(String host, int port, EmbeddingModel model) throws Exception {
    // page: begin
    QdrantClient client = new QdrantClient(QdrantGrpcClient.newBuilder(host, port, false).build());
    QdrantVectorStore store = QdrantVectorStore.builder(client, model).collectionName("notes").initializeSchema(true).build();
    store.afterPropertiesSet(); // Spring calls it for a bean

    store.add(List.of(
        new Document("a sextant measures angles", Map.of("kind", "tool", "year", 1731)),
        new Document("a compass shows north", Map.of("kind", "tool", "year", 1088)),
        new Document("salt water everywhere", Map.of("kind", "sea", "year", 1798))));
    List<Document> hits = store.similaritySearch(SearchRequest.builder()
        .query("sextant angle measures")
        .topK(2)
        .filterExpression("kind == 'tool' && year > 1700")
        .build());
    for (Document hit : hits) System.out.println(hit.getText() + " " + hit.getScore());
    // page: end
    expect("the example", textsOf(hits), List.of("a sextant measures angles"));
    expect("its score is high", hits.get(0).getScore() > 0.9, true);
    expect("its metadata", hits.get(0).getMetadata().get("kind"), "tool");
    client.close();
  }

  private static void reopened(QdrantClient client, EmbeddingModel model) throws Exception {
    // Of a collection that exists, another instance makes nothing.
    QdrantVectorStore store = QdrantVectorStore.builder(client, model).collectionName("notes").initializeSchema(true).build();
    store.afterPropertiesSet();
    String id = UUID.randomUUID().toString();
    store.add(List.of(new Document(id, "zzz", Map.of("kind", "sleep"))));
    expect("by similarity", textsOf(find(store, "zz", 1, null)), List.of("zzz"));
    expect("its id", find(store, "zz", 1, null).get(0).getId(), id);

    expect("in", textsOf(find(store, ANYTHING, 9, "kind in ['sea', 'sky']")), List.of("salt water everywhere"));
    expect("not in", textsOf(find(store, ANYTHING, 9, "kind nin ['sea', 'tool']")), List.of("zzz"));
    expect("or", find(store, ANYTHING, 9, "kind == 'sea' || year < 1100").size(), 2);
    expect("not", textsOf(find(store, ANYTHING, 9, "kind != 'tool' && kind != 'sleep'")), List.of("salt water everywhere"));
    expect("threshold", store.similaritySearch(SearchRequest.builder().query("zz").topK(9).similarityThreshold(0.99).build()).size(), 1);

    store.add(List.of(new Document(id, "a zebra", Map.of("kind", "animal"))));
    expect("replaced", textsOf(find(store, "zz", 9, "kind == 'animal'")), List.of("a zebra"));
    store.delete(List.of(id));
    expect("deleted by id", find(store, ANYTHING, 9, null).size(), 3);
    store.delete(new FilterExpressionBuilder().eq("kind", "tool").build());
    expect("deleted by filter", textsOf(find(store, ANYTHING, 9, null)), List.of("salt water everywhere"));
    expect("the client below", client.countAsync("notes").get(), 1L);
  }

  private static void refused(QdrantClient client, EmbeddingModel model) {
    VectorStore store = QdrantVectorStore.builder(client, model).collectionName("nowhere").build();
    try {
      find(store, ANYTHING, 1, null);
    } catch (RuntimeException failure) {
      Throwable cause = failure;
      while (cause.getCause() != null) cause = cause.getCause();
      expect("a missing collection", List.of(Status.fromThrowable(cause).getCode(), Status.fromThrowable(cause).getDescription()),
          List.of(Status.Code.NOT_FOUND, "Collection not found: nowhere"));
      return;
    }
    throw new AssertionError("a search of a collection that is not there was answered");
  }

  private static List<Document> find(VectorStore store, String text, int limit, String filter) {
    SearchRequest.Builder request = SearchRequest.builder().query(text).topK(limit);
    return store.similaritySearch((filter == null ? request : request.filterExpression(filter)).build());
  }

  private static List<String> textsOf(List<Document> documents) {
    return documents.stream().map(Document::getText).toList();
  }

  private static void expect(String what, Object got, Object wanted) {
    if (!got.equals(wanted)) throw new AssertionError(what + ": got " + got + ", want " + wanted);
  }
}
