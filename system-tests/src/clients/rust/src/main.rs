// SPDX-License-Identifier: Apache-2.0
//! The official Rust client, unchanged, through what an application does with a collection. Arguments: host and port of the gRPC interface.
use std::collections::HashMap;
use std::time::Duration;

use ::qdrant_client::qdrant::*;
use ::qdrant_client::{Payload, Qdrant, QdrantError};
use serde_json::json;

type Outcome = Result<(), QdrantError>;

const FILMS: &str = "films";
const UUID: &str = "6f1a9d0e-6a2b-4c55-9f0e-0d0f6a5b7c11";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Outcome {
    let arguments: Vec<String> = std::env::args().collect();
    let url = format!("http://{}:{}", arguments[1], arguments[2]);
    example(&url).await?;
    let client = Qdrant::from_url(&url).timeout(Duration::from_secs(60)).build()?;
    create(&client).await?;
    read(&client).await?;
    write(&client).await?;
    capabilities(&client).await?;
    refusals(&client).await;
    client.delete_collection(FILMS).await?;
    assert!(!client.collection_exists(FILMS).await?);
    println!("passed");
    Ok(())
}

async fn example(url: &str) -> Outcome {
    // page: begin
    let client = Qdrant::from_url(url).timeout(Duration::from_secs(60)).build()?;
    client
        .create_collection(CreateCollectionBuilder::new("books").vectors_config(VectorParamsBuilder::new(3, Distance::Cosine)))
        .await?;
    let payload = |year: i64| Payload::try_from(json!({ "year": year })).expect("an object");
    let points = vec![
        PointStruct::new(1, vec![0.9, 0.1, 0.2], payload(1979)),
        PointStruct::new(2, vec![0.1, 0.9, 0.4], payload(1942)),
    ];
    client.upsert_points(UpsertPointsBuilder::new("books", points).wait(true)).await?;
    let since_1950 = Filter::must([Condition::range("year", Range { gte: Some(1950.0), ..Default::default() })]);
    let hits = client
        .query(QueryPointsBuilder::new("books").query(vec![0.8, 0.2, 0.1]).filter(since_1950))
        .await?
        .result;
    for hit in &hits {
        println!("{:?} {}", hit.id, hit.score);
    }
    // page: end
    assert_eq!(hits.len(), 1);
    client.delete_collection("books").await?;
    Ok(())
}

async fn create(client: &Qdrant) -> Outcome {
    let mut vectors = VectorsConfigBuilder::default();
    vectors.add_named_vector_params("plot", VectorParamsBuilder::new(3, Distance::Cosine));
    let tokens = VectorParamsBuilder::new(2, Distance::Dot).multivector_config(MultiVectorConfigBuilder::new(MultiVectorComparator::MaxSim));
    vectors.add_named_vector_params("tokens", tokens);
    let mut sparse = SparseVectorsConfigBuilder::default();
    sparse.add_named_vector_params("words", SparseVectorParamsBuilder::default());
    client
        .create_collection(CreateCollectionBuilder::new(FILMS).vectors_config(vectors).sparse_vectors_config(sparse))
        .await?;
    let point = |id: PointId, plot: [f32; 3], word: u32, title: &str, year: i64| {
        let vectors = HashMap::from([
            ("plot".to_string(), Vector::from(plot.to_vec())),
            ("tokens".to_string(), Vector::from(vec![vec![word as f32, 0.0], vec![0.0, 1.0]])),
            ("words".to_string(), Vector::from(vec![(7, 0.5), (word, 1.0)])),
        ]);
        let payload = Payload::try_from(json!({ "title": title, "year": year, "tags": ["a", 1, null] })).expect("an object");
        PointStruct::new(id, vectors, payload)
    };
    let points = vec![
        point(1.into(), [0.9, 0.1, 0.2], 1, "Alien", 1979),
        point(u64::MAX.into(), [0.8, 0.3, 0.1], 2, "Aliens", 1986),
        point(UUID.into(), [0.1, 0.9, 0.4], 3, "Casablanca", 1942),
    ];
    let written = client.upsert_points(UpsertPointsBuilder::new(FILMS, points).wait(true)).await?;
    assert_eq!(written.result.expect("a result").status(), UpdateStatus::Completed);
    for (field, kind) in [("year", FieldType::Integer), ("title", FieldType::Keyword)] {
        client.create_field_index(CreateFieldIndexCollectionBuilder::new(FILMS, field, kind)).await?;
    }
    let info = client.collection_info(FILMS).await?.result.expect("a description");
    assert_eq!((info.points_count, info.payload_schema.len()), (Some(3), 2));
    Ok(())
}

fn since(year: f64) -> Filter {
    Filter::must([Condition::range("year", Range { gte: Some(year), ..Default::default() })])
}

async fn titles(client: &Qdrant, request: QueryPointsBuilder) -> Result<Vec<String>, QdrantError> {
    let found = client.query(request.with_payload(true)).await?.result;
    Ok(found.iter().map(|point| point.get("title").as_str().expect("a title").clone()).collect())
}

async fn read(client: &Qdrant) -> Outcome {
    let ask = |query: Query, using: &str| QueryPointsBuilder::new(FILMS).query(query).using(using);
    let dense = ask(Query::new_nearest(vec![0.9, 0.1, 0.2]), "plot").filter(since(1950.0));
    assert_eq!(titles(client, dense).await?, ["Alien", "Aliens"]);
    let words: &[(u32, f32)] = &[(3, 1.0)];
    assert_eq!(titles(client, ask(Query::new_nearest(words), "words")).await?, ["Casablanca"]);
    let tokens = ask(Query::new_nearest(vec![vec![1.0, 0.0]]), "tokens");
    assert_eq!(titles(client, tokens).await?, ["Casablanca", "Aliens", "Alien"]);
    let like = ask(Query::new_nearest(PointId::from(UUID)), "plot").filter(since(1980.0));
    assert_eq!(titles(client, like).await?, ["Aliens"]);

    let one = QueryPointsBuilder::new(FILMS).query(vec![0.1, 0.9, 0.4]).using("plot").limit(1).build();
    let batch = client.query_batch(QueryBatchPointsBuilder::new(FILMS, vec![one.clone(), one])).await?.result;
    assert_eq!(batch.iter().map(|each| each.result[0].id.clone()).collect::<Vec<_>>(), [Some(UUID.into()), Some(UUID.into())]);
    let page = client.scroll(ScrollPointsBuilder::new(FILMS).limit(1)).await?;
    assert_eq!((page.result[0].id.clone(), page.next_page_offset), (Some(1.into()), Some(u64::MAX.into())));
    let ordered = client.scroll(ScrollPointsBuilder::new(FILMS).order_by(OrderByBuilder::new("year"))).await?;
    assert_eq!(ordered.result[0].id, Some(UUID.into()));
    let count = client.count(CountPointsBuilder::new(FILMS).filter(since(1950.0)).exact(true)).await?;
    assert_eq!(count.result.expect("a count").count, 2);
    let got = client.get_points(GetPointsBuilder::new(FILMS, vec![u64::MAX.into()]).with_payload(true).with_vectors(true)).await?;
    assert_eq!(got.result[0].get("year").as_integer(), Some(1986));
    let facet = client.facet(FacetCountsBuilder::new(FILMS, "title")).await?;
    assert_eq!(facet.hits.len(), 3);
    let groups = client.query_groups(QueryPointGroupsBuilder::new(FILMS, "title").query(vec![0.9, 0.1, 0.2]).using("plot")).await?;
    assert_eq!(groups.result.expect("groups").groups.len(), 3);
    Ok(())
}

async fn write(client: &Qdrant) -> Outcome {
    let first = || PointsIdsList { ids: vec![1.into()] };
    let seen = Payload::try_from(json!({ "seen": true })).expect("an object");
    client.set_payload(SetPayloadPointsBuilder::new(FILMS, seen).points_selector(first())).await?;
    client.delete_payload(DeletePayloadPointsBuilder::new(FILMS, vec!["year".into()]).points_selector(first())).await?;
    let moved = HashMap::from([("plot".to_string(), vec![0.0, 0.0, 1.0])]);
    let moved = PointVectors { id: Some(1.into()), vectors: Some(moved.into()) };
    client.update_vectors(UpdatePointVectorsBuilder::new(FILMS, vec![moved])).await?;
    let got = client.get_points(GetPointsBuilder::new(FILMS, vec![1.into()]).with_payload(true)).await?;
    assert_eq!((got.result[0].get("seen").as_bool(), got.result[0].payload.contains_key("year")), (Some(true), false));
    client.delete_points(DeletePointsBuilder::new(FILMS).points(Filter::must([Condition::matches("title", "Casablanca".to_string())]))).await?;
    client.delete_points(DeletePointsBuilder::new(FILMS).points(PointsIdsList { ids: vec![u64::MAX.into()] })).await?;
    let left = client.count(CountPointsBuilder::new(FILMS)).await?;
    assert_eq!(left.result.expect("a count").count, 1);
    client.delete_field_index(DeleteFieldIndexCollectionBuilder::new(FILMS, "year")).await?;
    Ok(())
}

async fn capabilities(client: &Qdrant) -> Outcome {
    client.create_alias(CreateAliasBuilder::new(FILMS, "movies")).await?;
    assert_eq!(client.list_collection_aliases(FILMS).await?.aliases[0].alias_name, "movies");
    client.delete_alias("movies").await?;
    let made = client.create_snapshot(FILMS).await?.snapshot_description.expect("a snapshot");
    let listed = client.list_snapshots(FILMS).await?.snapshot_descriptions;
    assert_eq!(listed.iter().map(|each| &each.name).collect::<Vec<_>>(), [&made.name]);
    client.delete_snapshot(DeleteSnapshotRequestBuilder::new(FILMS, made.name)).await?;
    Ok(())
}

fn refused<T: std::fmt::Debug>(outcome: Result<T, QdrantError>, code: &str, message: &str) {
    match outcome {
        Err(QdrantError::ResponseError { status }) => assert_eq!((format!("{:?}", status.code()).as_str(), status.message()), (code, message)),
        other => panic!("expected {code}, got {other:?}"),
    }
}

async fn refusals(client: &Qdrant) {
    refused(client.count(CountPointsBuilder::new("nowhere")).await, "NotFound", "Collection not found: nowhere");
    let short = QueryPointsBuilder::new(FILMS).query(vec![1.0]).using("plot");
    refused(client.query(short).await, "InvalidArgument", "Dimension mismatch for vector: expected 3, got 1");
    let again = CreateCollectionBuilder::new(FILMS).vectors_config(VectorParamsBuilder::new(3, Distance::Cosine));
    refused(client.create_collection(again).await, "AlreadyExists", "Collection already exists: films");
}
