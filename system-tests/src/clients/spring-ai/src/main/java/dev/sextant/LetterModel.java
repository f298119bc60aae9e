// SPDX-License-Identifier: Apache-2.0
package dev.sextant;

import java.util.List;
import java.util.stream.IntStream;
import org.springframework.ai.document.Document;
import org.springframework.ai.embedding.Embedding;
import org.springframework.ai.embedding.EmbeddingModel;
import org.springframework.ai.embedding.EmbeddingRequest;
import org.springframework.ai.embedding.EmbeddingResponse;

/** Takes the place of a model, so that the program needs none: how often each letter occurs. */
final class LetterModel implements EmbeddingModel {
  @Override
  public EmbeddingResponse call(EmbeddingRequest request) {
    List<String> texts = request.getInstructions();
    return new EmbeddingResponse(IntStream.range(0, texts.size()).mapToObj(at -> new Embedding(lettersOf(texts.get(at)), at)).toList());
  }

  @Override
  public float[] embed(Document document) {
    return lettersOf(document.getText());
  }

  @Override
  public int dimensions() {
    return 26;
  }

  private static float[] lettersOf(String text) {
    float[] counts = new float[26];
    text.toLowerCase().chars().filter(letter -> letter >= 'a' && letter <= 'z').forEach(letter -> counts[letter - 'a']++);
    return counts;
  }
}
